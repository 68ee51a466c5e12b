package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TreeDigestTest {
    private static final byte[] CONTENT = new byte[32];

    @Test
    void shouldDifferWhenAnythingOfAnEntryDiffers() {
        // given
        Entry entry = Frames.SMALL_FILE;
        List<Entry> others = List.of(
                new Entry(1, entry.path(), entry.type(), entry.mode(), entry.modifiedNanos(), entry.length(), ""),
                new Entry(2, "a/abd", entry.type(), entry.mode(), entry.modifiedNanos(), entry.length(), ""),
                new Entry(2, entry.path(), EntryType.DIRECTORY, entry.mode(), entry.modifiedNanos(), 0, ""),
                new Entry(2, entry.path(), entry.type(), 0600, entry.modifiedNanos(), entry.length(), ""),
                new Entry(2, entry.path(), entry.type(), entry.mode(), 0, entry.length(), ""),
                new Entry(2, entry.path(), entry.type(), entry.mode(), entry.modifiedNanos(), 4, ""));

        // when, then
        assertThat(others).extracting(other -> digest(other, CONTENT)).doesNotHaveDuplicates();
        assertThat(others).extracting(other -> digest(other, CONTENT)).doesNotContain(digest(entry, CONTENT));
        assertThat(digest(entry, Digests.sha256().digest())).isNotEqualTo(digest(entry, CONTENT));
    }

    @Test
    void shouldStartAnewWhenItWasRead() {
        // given
        TreeDigest digest = new TreeDigest();
        digest.add(Frames.SMALL_FILE, CONTENT);
        digest.hex();

        // when
        digest.add(Frames.DIRECTORY, CONTENT);

        // then
        assertThat(digest.hex()).isEqualTo(digest(Frames.DIRECTORY, CONTENT));
    }

    @Test
    void shouldRefuseWhenTheContentsDigestIsNone() {
        TreeDigest digest = new TreeDigest();
        assertThatThrownBy(() -> digest.add(Frames.DIRECTORY, new byte[31]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String digest(Entry entry, byte[] content) {
        TreeDigest digest = new TreeDigest();
        digest.add(entry, content);
        return digest.hex();
    }
}
