package io.longhaul.broker.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScrubTest {
    private static final int MESSAGE = 200;
    private static final int PAGE_RECORD = 1 + 4 + 8 + 1 + MESSAGE + 4 + 8 + 1;
    private static final int JOURNAL_RECORD = 31 + MESSAGE;

    @TempDir
    Path data;

    private Path journal;
    private Path page;

    @BeforeEach
    void write() throws IOException {
        journal = data.resolve("journal/activemq-data-7.amq");
        page = data.resolve("paging/address/000000001.page");
        Files.createDirectories(journal.getParent());
        Files.createDirectories(page.getParent());
        Files.write(journal, journal());
        Files.write(page, page());
    }

    private static byte[] message() {
        ByteBuffer out = ByteBuffer.allocate(MESSAGE);
        StoredMessage.filler(out, MESSAGE);
        return out.array();
    }

    /** Three messages for one queue, and the first bytes of a fourth that a crash cut short. */
    private static byte[] page() {
        ByteBuffer out = ByteBuffer.allocate(3 * PAGE_RECORD + 40);
        for (int i = 0; i < 3; i++) {
            out.put((byte) '{')
                    .putInt(PAGE_RECORD - 6)
                    .putLong(-1)
                    .put((byte) 0)
                    .put(message());
            out.putInt(1).putLong(5).put((byte) '}');
        }
        return out.put((byte) '{').putInt(PAGE_RECORD - 6).array();
    }

    /** Three messages, each in a transaction, before what an earlier use of the file left. */
    private static byte[] journal() {
        ByteBuffer out = ByteBuffer.allocate(16 + 4 * JOURNAL_RECORD + 100);
        out.putInt(2).putInt(0).putLong(7);
        for (int i = 0; i < 4; i++) {
            out.put((byte) 13).putInt(i < 3 ? 7 : 6).put((byte) 0).putLong(i).putLong(i);
            out.putInt(MESSAGE).put((byte) 45).put(message()).putInt(JOURNAL_RECORD);
        }
        return out.array();
    }

    private List<String> scrub() throws IOException {
        return Scrub.of(files(journal().length));
    }

    private DataFiles files(long journalBytes) {
        return new DataFiles(
                data.resolve("bindings"), 100, data.resolve("journal"), journalBytes, data.resolve("paging"));
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 0x40;
        Files.write(file, bytes);
    }

    @Test
    void shouldFindNothingAndChangeNothingWhenFilesAreSound() throws IOException {
        // when then
        assertThat(scrub()).isEmpty();
        assertThat(Files.readAllBytes(journal)).isEqualTo(journal());
        assertThat(Files.readAllBytes(page)).isEqualTo(page());
    }

    @Test
    void shouldTakeOutTheOneMessageWhenAnyLengthOfAPageRecordIsFlipped() throws IOException {
        // given
        int record = PAGE_RECORD;
        for (int at :
                new int[] {0, 1, 2, 3, 4, 13, 14, 23, 24, 25, 26, 28, 29, 30, PAGE_RECORD - 13, PAGE_RECORD - 1}) {
            Files.write(page, page());
            flip(page, record + at);

            // when
            List<String> findings = scrub();

            // then
            assertThat(findings).as("byte %s", at).hasSize(1);
            assertThat(findings.get(0)).contains(page.toString(), "bytes " + record + "..", "it was taken out");
            byte[] bytes = Files.readAllBytes(page);
            assertThat(Arrays.copyOf(bytes, record)).isEqualTo(Arrays.copyOf(page(), record));
            assertThat(Arrays.copyOfRange(bytes, 2 * record, bytes.length))
                    .isEqualTo(Arrays.copyOfRange(page(), 2 * record, bytes.length));
            assertThat(scrub()).isEmpty();
        }
    }

    @Test
    void shouldNameTheHoleWhenAJournalRecordIsFlipped() throws IOException {
        // given
        int record = 16 + JOURNAL_RECORD;
        for (int at : new int[] {0, 1, 4, 22, 25, JOURNAL_RECORD - 1}) {
            Files.write(journal, journal());
            flip(journal, record + at);

            // when
            List<String> findings = scrub();

            // then
            assertThat(findings)
                    .as("byte %s", at)
                    .singleElement()
                    .satisfies(finding -> assertThat(finding)
                            .contains(journal.toString())
                            .contains("bytes " + record + ".." + (record + JOURNAL_RECORD - 1))
                            .contains("expected a record"));
        }
    }

    @Test
    void shouldTakeTheMessageOutWhenItsLengthsAreFlippedInTheJournal() throws IOException {
        // given
        int record = 16 + JOURNAL_RECORD;
        for (int at : new int[] {27, 36, 37, 38, 41, 42}) {
            Files.write(journal, journal());
            flip(journal, record + at);

            // when
            List<String> findings = scrub();

            // then
            assertThat(findings)
                    .as("byte %s", at)
                    .singleElement()
                    .satisfies(finding ->
                            assertThat(finding).contains(journal.toString()).contains("it was taken out"));
            assertThat(scrub())
                    .singleElement()
                    .satisfies(finding -> assertThat(finding).contains("expected a record"));
        }
    }

    @Test
    void shouldEndAFileBehindItsLastRecordWhenTheRestIsOfAnEarlierUse() {
        // when then
        assertThat(Scrub.end(ByteBuffer.wrap(journal()))).isEqualTo(16 + 3 * JOURNAL_RECORD);
    }

    @Test
    void shouldEndAFileBehindItsHeaderWhenNothingWasWrittenSince() {
        // given
        ByteBuffer file = ByteBuffer.wrap(journal()).putLong(8, 8);

        // when then
        assertThat(Scrub.end(file)).isEqualTo(16);
    }

    @Test
    void shouldFindTheLastRecordWhereverItLies() {
        // given
        for (int fileId : new int[] {7, 0x01010101, 0x00010001, -2, 0x100, 0x10000, 0x1000000, 0}) {
            for (int gap = 0; gap < 40; gap++) {
                ByteBuffer file = ByteBuffer.allocate(16 + gap + 18 + 50);
                file.putInt(2).putInt(0).putLong(fileId);
                file.position(16 + gap).put((byte) 16).putInt(fileId).put((byte) 0);
                file.putLong(5).putInt(18);

                // when then
                assertThat(Scrub.end(file)).as("id %s, gap %s", fileId, gap).isEqualTo(16 + gap + 18);
            }
        }
    }

    @Test
    void shouldEndAFileAtItsEndWhenARecordBetweenOthersIsDamaged() throws IOException {
        // given
        flip(journal, 16 + JOURNAL_RECORD);
        byte[] bytes = Files.readAllBytes(journal);

        // when then
        assertThat(Scrub.end(ByteBuffer.wrap(bytes))).isEqualTo(bytes.length);
    }

    @Test
    void shouldEndAFileAtItsEndWhenItIsOfAnotherVersion() {
        // given
        ByteBuffer file = ByteBuffer.wrap(journal()).putInt(0, 1);

        // when then
        assertThat(Scrub.end(file)).isEqualTo(file.limit());
    }

    @Test
    void shouldNameTheLengthAndKeepTheSoundRecordsWhenAJournalFileIsCut() throws IOException {
        // given
        for (int cut : new int[] {16 + 2 * JOURNAL_RECORD + 5, 16 + JOURNAL_RECORD, 16}) {
            byte[] bytes = Arrays.copyOf(journal(), cut);
            Files.write(journal, bytes);

            // when
            List<String> findings = scrub();

            // then
            assertThat(findings).containsExactly(journal + ": expected " + journal().length + " bytes, found " + cut);
            assertThat(Files.readAllBytes(journal)).isEqualTo(bytes);
        }
    }

    @Test
    void shouldNameLengthAndHeaderWhenAJournalFileIsEmpty() throws IOException {
        // given
        Files.write(journal, new byte[0]);

        // when then
        assertThat(scrub())
                .containsExactly(
                        journal + ": expected " + journal().length + " bytes, found 0",
                        journal + ": bytes 0..15: expected a journal's header, found none");
    }

    @Test
    void shouldNameTheLengthWhenAJournalFileIsTooLong() throws IOException {
        // when then
        assertThat(Scrub.of(files(journal().length - 1)))
                .containsExactly(
                        journal + ": expected " + (journal().length - 1) + " bytes, found " + journal().length);
    }

    @Test
    void shouldReadNothingWhenThereAreNoFiles() throws IOException {
        // given
        Files.delete(journal);
        Files.delete(page);

        // when then
        assertThat(scrub()).isEmpty();
    }
}
