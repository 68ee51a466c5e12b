package io.longhaul.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many receipts a publication waits for: a number, or {@code none}. */
public record ReceiptCount(int count) {
    /** Most receipts that can be waited for. */
    public static final int MOST = 100_000;

    /** Lets picocli read counts. */
    public static final class Converter implements ITypeConverter<ReceiptCount> {
        @Override
        public ReceiptCount convert(String text) {
            if (text.equals("none")) {
                return new ReceiptCount(0);
            }
            if (!text.matches("[0-9]{1,6}") || Integer.parseInt(text) > MOST) {
                throw new TypeConversionException("expected none or a number up to " + MOST + ", found '" + text + "'");
            }
            return new ReceiptCount(Integer.parseInt(text));
        }
    }
}
