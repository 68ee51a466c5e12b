package io.longhaul.broker.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BindingsTest {
    private static final int FILE = 512;
    private static final int RECORD = 23 + 40;
    private static final int QUEUE = 21;
    private static final int ID_COUNTER = 24;
    private static final int MESSAGE = 45;

    @TempDir
    Path data;

    private Path first;
    private Path second;
    private Path journal;
    private DataFiles files;

    @BeforeEach
    void write() throws IOException {
        files = new DataFiles(data.resolve("bindings"), FILE, data.resolve("journal"), FILE, data.resolve("paging"));
        first = files.bindings().resolve("activemq-bindings-1.bindings");
        second = files.bindings().resolve("activemq-bindings-2.bindings");
        journal = files.journal().resolve("activemq-data-1.amq");
        Files.createDirectories(files.bindings());
        Files.createDirectories(files.journal());
        Files.write(first, file(1, QUEUE, QUEUE, QUEUE));
        Files.write(second, file(2));
        Files.write(journal, file(1, MESSAGE));
    }

    /** A file with records of these kinds. */
    private static byte[] file(int id, int... kinds) {
        ByteBuffer out = ByteBuffer.allocate(FILE);
        out.putInt(2).putInt(0).putLong(id);
        for (int kind : kinds) {
            out.put((byte) 11).putInt(id).put((byte) 0).putLong(5);
            out.putInt(RECORD - 23).put((byte) kind).put(new byte[RECORD - 23]).putInt(RECORD);
        }
        return out.array();
    }

    private Optional<String> fault() throws IOException {
        return Scrub.bindings(files);
    }

    @Test
    void shouldFindNothingWhenTheQueuesAreThere() throws IOException {
        // when then
        assertThat(fault()).isEmpty();
    }

    @Test
    void shouldNameTheLengthAndChangeNothingWhenAFileIsCut() throws IOException {
        // given
        for (int cut : new int[] {0, 10, 100, FILE - 1}) {
            byte[] bytes = Arrays.copyOf(file(1, QUEUE, QUEUE, QUEUE), cut);
            Files.write(first, bytes);

            // when then
            assertThat(fault()).hasValue(first + ": expected " + FILE + " bytes, found " + cut);
            assertThat(Files.readAllBytes(first)).isEqualTo(bytes);
        }
    }

    @Test
    void shouldNameTheDirectoryWhenTheFileWithTheQueuesIsGone() throws IOException {
        // given
        Files.delete(first);

        // when then
        assertThat(fault())
                .hasValueSatisfying(fault -> assertThat(fault)
                        .startsWith(files.bindings() + ": expected the queues of the messages in " + files.journal()));
    }

    @Test
    void shouldNameTheDirectoryWhenOnlyPagesHaveMessages() throws IOException {
        // given
        Path page = files.paging().resolve("address/000000001.page");
        Files.createDirectories(page.getParent());
        Files.write(page, new byte[100]);
        Files.write(journal, file(1));
        Files.delete(first);

        // when then
        assertThat(fault()).hasValueSatisfying(fault -> assertThat(fault).contains("expected the queues"));
    }

    @Test
    void shouldNameTheDirectoryWhenThereIsAJournalWithoutBindings() throws IOException {
        // given
        Files.delete(first);
        Files.delete(second);
        Files.write(journal, file(1));
        String expected = files.bindings() + ": expected files of bindings, found none";

        // when then
        assertThat(fault()).hasValue(expected);
        Files.delete(files.bindings());
        assertThat(fault()).hasValue(expected);
    }

    @Test
    void shouldNameTheBytesWhenARecordBetweenOthersOrTheHeaderIsFlipped() throws IOException {
        // given
        byte[] bytes = file(1, QUEUE, QUEUE, QUEUE);
        bytes[16 + RECORD] ^= 0x40;
        Files.write(first, bytes);

        // when then
        assertThat(fault())
                .hasValue(first + ": bytes " + (16 + RECORD) + ".." + (15 + 2 * RECORD)
                        + ": expected a record, found none");
        bytes[0] ^= 0x40;
        Files.write(first, bytes);
        assertThat(fault()).hasValue(first + ": bytes 0..15: expected a journal's header, found none");
    }

    @Test
    void shouldFindNothingAtAnyStepOfAFirstStart() throws IOException {
        // given
        Files.delete(first);
        Files.delete(second);
        Files.delete(journal);

        // when then
        assertNoDamage();
        Files.write(files.bindings().resolve("activemq-bindings-1.bindings.tmp"), new byte[100]);
        assertNoDamage();
        Files.write(first, file(1));
        assertNoDamage();
        Files.write(second, file(2));
        Files.write(files.journal().resolve("activemq-data-1.amq.tmp"), new byte[100]);
        assertNoDamage();
        Files.write(journal, file(1));
        assertNoDamage();
        Files.write(first, file(1, ID_COUNTER));
        assertNoDamage();
        Files.write(first, file(1, ID_COUNTER, QUEUE));
        assertNoDamage();
        Files.write(journal, file(1, ID_COUNTER));
        assertNoDamage();
    }

    private void assertNoDamage() throws IOException {
        assertThat(fault()).isEmpty();
        assertThat(Scrub.of(files)).isEmpty();
    }

    @Test
    void shouldFindNothingWhenACompactionWasKilledBeforeItsFileHadItsName() throws IOException {
        // given
        Files.move(first, files.bindings().resolve("activemq-bindings-3.bindings.cmp"));

        // when then
        assertThat(fault()).isEmpty();
    }

    @Test
    void shouldNameTheJournalWhenItIsGoneAndQueuesAreThere() throws IOException {
        // given
        Files.delete(journal);

        // when then
        assertThat(fault()).isEmpty();
        assertThat(Scrub.of(files)).containsExactly(files.journal() + ": expected files of a journal, found none");
    }
}
