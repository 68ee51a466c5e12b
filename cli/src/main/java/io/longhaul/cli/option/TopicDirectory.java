package io.longhaul.cli.option;

import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A topic and the directory that its files come from or go to. */
public record TopicDirectory(String topic, Path directory) {

    private static TopicDirectory of(String topic, String directory, String form, String text) {
        try {
            if (!topic.isEmpty() && !directory.isEmpty()) {
                return new TopicDirectory(Names.topic(topic), FilePath.parse(directory));
            }
        } catch (WireException e) {
            throw new TypeConversionException(e.getMessage());
        }
        throw new TypeConversionException("expected " + form + ", found '" + text + "'");
    }

    /** Lets picocli read {@code TOPIC=DIR}; the directory may contain {@code =}. */
    public static final class Incoming implements ITypeConverter<TopicDirectory> {
        @Override
        public TopicDirectory convert(String text) {
            int sign = text.indexOf('=');
            return of(text.substring(0, Math.max(sign, 0)), text.substring(sign + 1), "TOPIC=DIR", text);
        }
    }

    /** Lets picocli read {@code DIR=TOPIC}; the directory may contain {@code =}. */
    public static final class Outgoing implements ITypeConverter<TopicDirectory> {
        @Override
        public TopicDirectory convert(String text) {
            int sign = text.lastIndexOf('=');
            return of(text.substring(sign + 1), text.substring(0, Math.max(sign, 0)), "DIR=TOPIC", text);
        }
    }
}
