package io.longhaul.cli.option;

import io.longhaul.broker.users.TopicPattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Limits of topics as people write them: {@code climate.*=rate=50MiB,transfers=4}.
 *
 * @param pattern the topics, as {@link TopicPattern} reads them
 */
public record TopicLimit(String pattern, LimitText limits) {

    /** Reads the written form; throws {@link IllegalArgumentException} that names what was expected. */
    public static TopicLimit parse(String text) {
        int sign = text.indexOf('=');
        if (sign < 0) {
            throw new IllegalArgumentException(
                    "expected PATTERN=LIMITS like climate.*=rate=50MiB, found '" + text + "'");
        }
        return new TopicLimit(
                new TopicPattern(text.substring(0, sign)).text(), LimitText.parse(text.substring(sign + 1)));
    }

    /** Lets picocli read it. */
    public static final class Converter implements ITypeConverter<TopicLimit> {
        @Override
        public TopicLimit convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
