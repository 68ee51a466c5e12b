package io.longhaul.cli.option;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Lets picocli read paths. An empty one, which Java takes for the current directory, is what an unset variable of a script
 * leaves.
 */
public final class FilePath implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
        return parse(text);
    }

    /** Returns the path; throws {@link TypeConversionException} for one that is empty or cannot be. */
    public static Path parse(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("expected a path, found ''");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("expected a path, found '" + text + "': " + e.getReason());
        }
    }
}
