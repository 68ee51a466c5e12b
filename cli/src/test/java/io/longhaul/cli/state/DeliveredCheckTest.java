package io.longhaul.cli.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.cli.state.DeliveredCheck.Verdict;
import io.longhaul.wire.Digests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeliveredCheckTest {
    @TempDir
    private Path directory;

    private Path file;
    private JsonNode transfer;
    private final List<JsonNode> entries = new ArrayList<>();

    @BeforeEach
    void deliver() throws IOException {
        file = Files.writeString(directory.resolve("f"), "content");
        transfer = transfer("1", "receipted", DeliveredCheck.digest(file));
    }

    private JsonNode transfer(String id, String state, String digest) {
        return new JsonMapper()
                .createObjectNode()
                .put("direction", "incoming")
                .put("transfer", id)
                .put("state", state)
                .put("path", file.toString())
                .put("digest", digest);
    }

    private DeliveredCheck check(JsonNode... transfers) {
        return new DeliveredCheck(
                List.of(transfers),
                (transfer, from) -> from < entries.size() ? entries.subList((int) from, (int) from + 1) : List.of());
    }

    private void entry(String path, String type, String content) {
        entries.add(new JsonMapper()
                .createObjectNode()
                .put("path", path)
                .put("type", type)
                .put("bytes", type.equals("file") ? content.length() : 0)
                .put("target", type.equals("symlink") ? content : "")
                .put("digest", HexFormat.of().formatHex(Digests.sha256().digest(content.getBytes(UTF_8)))));
    }

    /** Delivers a tree with a directory, a file in it, an empty file and a link. */
    private JsonNode tree() throws IOException {
        Path top = Files.createDirectories(directory.resolve("tree"));
        Files.createDirectory(top.resolve("d"));
        Files.writeString(top.resolve("d/f"), "content");
        Files.createFile(top.resolve("empty"));
        Files.createSymbolicLink(top.resolve("link"), Path.of("d/f"));
        entry("d", "directory", "");
        entry("d/f", "file", "content");
        entry("empty", "file", "");
        entry("link", "symlink", "d/f");
        file = top;
        return ((ObjectNode) transfer("t", "receipted", "0".repeat(64)))
                .put("tree", true)
                .put("entries", entries.size());
    }

    @Test
    void shouldCheckWhatWasDeliveredWhenALaterTransferLeftItThere() throws IOException {
        // given
        ObjectNode kept = (ObjectNode) transfer("2", "receipted", "0".repeat(64));
        kept.putObject("detail").put("outcome", "KEPT");
        DeliveredCheck check = check(transfer, kept);

        // then
        assertThat(check.of(transfer)).contains(Verdict.INTACT);
        assertThat(check.of(kept)).isEmpty();

        // when
        Files.writeString(file, "damaged");

        // then
        assertThat(check.of(transfer)).contains(Verdict.DIFFERENT);
    }

    @Test
    void shouldBeIntactWhenTreeIsTheSame() throws IOException {
        // given
        JsonNode tree = tree();

        // then
        assertThat(check(tree).of(tree)).contains(Verdict.INTACT);
    }

    @ParameterizedTest
    @CsvSource({"d/", "d//f", "d"})
    void shouldBeIntactWhenTargetOfALinkHasSlashesThatNoPathKeeps(String target) throws IOException {
        // given
        tree();
        Files.createSymbolicLink(file.resolve("other"), Path.of(target));
        entry("other", "symlink", target);
        JsonNode tree =
                ((ObjectNode) transfer("t", "receipted", "")).put("tree", true).put("entries", entries.size());

        // then
        assertThat(check(tree).of(tree)).contains(Verdict.INTACT);
    }

    @ParameterizedTest
    @CsvSource({"d/f", "empty", "link", "d"})
    void shouldDifferWhenOneEntryOfATreeDoes(String changed) throws IOException {
        // given
        JsonNode tree = tree();
        Path path = file.resolve(changed);
        if (changed.equals("d")) {
            Files.delete(path.resolve("f"));
        }
        Files.delete(path);
        Files.writeString(path, "cOntent");

        // then
        assertThat(check(tree).of(tree)).contains(Verdict.DIFFERENT);
    }

    @Test
    void shouldBeMissingWhenOneFileOfATreeIsGone() throws IOException {
        // given
        JsonNode tree = tree();
        Files.delete(file.resolve("empty"));

        // then
        assertThat(check(tree).of(tree)).contains(Verdict.MISSING);
    }

    @Test
    void shouldLeaveAFileOfATreeToTheLaterTransferOfItsPath() throws IOException {
        // given
        JsonNode tree = tree();
        Files.writeString(file.resolve("d/f"), "later");
        file = file.resolve("d/f");
        JsonNode later = transfer("l", "receipted", DeliveredCheck.digest(file));

        // then
        assertThat(check(tree, later).of(tree)).contains(Verdict.INTACT);
        assertThat(check(tree, later).of(later)).contains(Verdict.INTACT);
    }

    @Test
    void shouldSayThatATreeIsNotCheckedWhenLedgerHasNoEntries() throws IOException {
        // given
        JsonNode tree = tree();
        entries.clear();

        // then
        assertThat(check(tree).of(tree)).contains(Verdict.UNCHECKED);
        ((ObjectNode) tree).remove(List.of("tree", "entries"));
        assertThat(check(tree).of(tree)).contains(Verdict.UNCHECKED);
        assertThat(Verdict.UNCHECKED.isDamage()).isFalse();
    }

    @Test
    void shouldBeIntactWhenBytesAreTheSame() {
        // then
        assertThat(check(transfer).of(transfer)).contains(Verdict.INTACT);
    }

    @Test
    void shouldDifferWhenAByteHasFlipped() throws IOException {
        // given
        Files.writeString(file, "cOntent");

        // then
        assertThat(check(transfer).of(transfer)).contains(Verdict.DIFFERENT);
        assertThat(Verdict.DIFFERENT.isDamage()).isTrue();
    }

    @Test
    void shouldBeMissingWhenFileIsGone() throws IOException {
        // given
        Files.delete(file);

        // then
        assertThat(check(transfer).of(transfer)).contains(Verdict.MISSING);
    }

    @Test
    void shouldBeReplacedWhenLaterTransferLiesThere() {
        // given
        JsonNode later = transfer("2", "receipted", "0".repeat(64));

        // then
        assertThat(check(transfer, later).of(transfer)).contains(Verdict.REPLACED);
    }

    @Test
    void shouldSayNothingWhenTransferIsNotInPlace() {
        // given
        JsonNode receiving = transfer("3", "receiving", "");

        // then
        assertThat(check(receiving).of(receiving)).isEmpty();
    }

    @Test
    void shouldTakeNothingForMissingOrDamagedThatMayNotBeRead() throws IOException {
        // given
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(file), "runs as root, for whom PlainUserIT does it");
        JsonNode tree = tree();
        Path inner = Path.of(tree.path("path").asText()).resolve("d");
        Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("---------"));

        // when, then
        assertThat(check(transfer).of(transfer)).contains(Verdict.UNREADABLE);
        assertThat(check(tree).of(tree)).contains(Verdict.UNREADABLE);
        assertThat(Verdict.UNREADABLE.isDamage()).isFalse();
        Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("rwx------"));
    }
}
