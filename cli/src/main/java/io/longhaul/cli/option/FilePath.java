package io.longhaul.cli.option;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Lets picocli read paths. An empty one, which Java takes for the current directory, is what an unset variable of a script
 * leaves.
 */
public final class FilePath implements ITypeConverter<Path> {
    /** What Java makes of bytes in an argument that are not UTF-8. */
    public static final char LOST = '\uFFFD';

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
            Path path = Path.of(text);
            // what is made there would have another name than was meant
            if (text.indexOf(LOST) >= 0 && !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new TypeConversionException(
                        "expected a path in UTF-8, found '" + text.replace(String.valueOf(LOST), "\\ufffd") + "'");
            }
            return path;
        } catch (InvalidPathException e) {
            throw new TypeConversionException("expected a path, found '" + text + "': " + e.getReason());
        }
    }
}
