package io.longhaul.it.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What every test asks of a delivered file. */
public final class Delivery {
    private Delivery() {}

    /** Waits until the subscriber's running process has printed that it delivered this many transfers. */
    public static OutputLine await(Node subscriber, int count) {
        return await(subscriber, count, Child.PATIENCE);
    }

    /** Waits as long as told. */
    public static OutputLine await(Node subscriber, int count, Duration patience) {
        List<OutputLine> lines = subscriber.child().awaitEvents("delivered", count, patience);
        return lines.get(count - 1);
    }

    /** Checks that a subscriber's file of this name has exactly the source's bytes. */
    public static void assertSame(Node subscriber, Path source, String name) {
        Path file = subscriber.into().resolve(name);
        assertThat(file).as(subscriber.label()).isRegularFile();
        assertThat(fileSize(file)).as(file + ": length").isEqualTo(fileSize(source));
        assertThat(mismatch(file, source))
                .as(file + ": first byte that differs")
                .isEqualTo(-1);
    }

    /** Checks that nothing is visible in a subscriber's target directory. */
    public static void assertNothingVisible(Node subscriber) {
        assertThat(Trees.visible(subscriber.into()))
                .as(subscriber.into() + ": names")
                .isEmpty();
    }

    /** Checks that nothing but these names is visible in a subscriber's target directory. */
    public static void assertNothingVisibleBut(Node subscriber, String... names) {
        assertThat(Trees.visible(subscriber.into()))
                .as(subscriber.into() + ": names")
                .containsExactly(names);
    }

    private static long mismatch(Path file, Path source) {
        try {
            return Files.mismatch(file, source);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        }
    }

    private static long fileSize(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": length cannot be read", e);
        }
    }
}
