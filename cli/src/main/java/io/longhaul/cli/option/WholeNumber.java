package io.longhaul.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A whole number; whether it is in range is looked at where its option is known. */
public final class WholeNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "expected a whole number of at most " + Integer.MAX_VALUE + ", found '" + text + "'");
        }
    }
}
