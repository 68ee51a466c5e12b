package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForcedFilesTest {
    private static final int BYTES = 4096;

    @TempDir
    Path directory;

    /** A file with one deletion, before what its earlier use left. */
    private SequentialFile fileOf(ForcedFiles files) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).putInt(2).putInt(0).putLong(7);
        bytes.put((byte) 16).putInt(7).put((byte) 0).putLong(1).putInt(18);
        bytes.put((byte) 16).putInt(6).put((byte) 0).putLong(2).putInt(18);
        Files.write(directory.resolve("activemq-data-7.amq"), bytes.array());
        SequentialFile file = files.createSequentialFile("activemq-data-7.amq");
        file.open();
        return file;
    }

    @Test
    void shouldEndAJournalFileAtItsLastRecordWhenItIsReadAsAWhole() throws Exception {
        // given
        NIOSequentialFileFactory model = new NIOSequentialFileFactory(directory.toFile(), 1);
        SequentialFile file = fileOf(ForcedFiles.ofJournal(model, 4096, 1000, null, null));
        ByteBuffer into = ByteBuffer.allocateDirect(BYTES);

        // when
        int read = file.read(into);

        // then
        assertThat(read).isEqualTo(BYTES);
        assertThat(into.limit()).isEqualTo(16 + 18);
        file.close();
    }

    @Test
    void shouldReadAllOfAFileThatIsNotOfAJournal() throws Exception {
        // given
        SequentialFile file = fileOf(ForcedFiles.unbuffered(directory.toFile(), null));
        ByteBuffer into = ByteBuffer.allocateDirect(BYTES);

        // when
        int read = file.read(into);

        // then
        assertThat(read).isEqualTo(BYTES);
        assertThat(into.limit()).isEqualTo(BYTES);
        file.close();
    }
}
