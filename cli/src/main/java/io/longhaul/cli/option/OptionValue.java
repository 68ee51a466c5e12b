package io.longhaul.cli.option;

import io.longhaul.storage.RealPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Values that are read once all options are known. */
public final class OptionValue {
    private OptionValue() {}

    /** Returns what a text says; what is wrong with it is an {@link IllegalArgumentException} that names the option. */
    public static <T> T read(String option, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }

    /** Returns a path where a directory is or can be; throws {@link IllegalArgumentException} that names the option. */
    public static Path directory(String option, Path path) {
        Path there = RealPath.withoutDots(path);
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (!Files.isDirectory(there)) {
            throw new IllegalArgumentException(option + " " + path + ": expected a directory, found something else"
                    + (there.endsWith(path) ? "" : " at " + there));
        }
        return path;
    }
}
