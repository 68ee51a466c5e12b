package io.longhaul.cli.option;

import io.longhaul.ptcp.PtcpConfig;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many streams a connection has: a number, or {@code auto}. */
public record StreamCount(int count) {
    /** Lets picocli read counts. */
    public static final class Converter implements ITypeConverter<StreamCount> {
        @Override
        public StreamCount convert(String text) {
            if (text.equals("auto")) {
                return new StreamCount(PtcpConfig.AUTO);
            }
            if (!text.matches("[1-9][0-9]?") || Integer.parseInt(text) > PtcpConfig.MOST_STREAMS) {
                throw new TypeConversionException(
                        "expected auto or a number from 1 to " + PtcpConfig.MOST_STREAMS + ", found '" + text + "'");
            }
            return new StreamCount(Integer.parseInt(text));
        }
    }
}
