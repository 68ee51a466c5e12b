package io.longhaul.cli.option;

import io.longhaul.agent.Retention;
import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How long an archive keeps a topic, as people write it: {@code climate.daily=30d} or {@code climate.daily=500GiB}.
 *
 * @param longest the time; empty when bytes are given
 * @param mostBytes the bytes; empty when a time is given
 */
public record TopicRetention(String topic, Optional<Duration> longest, OptionalLong mostBytes) {

    /** Adds this to what else is said of the topic; {@link IllegalArgumentException} when the same is said already. */
    public Retention addTo(Retention before) {
        if (longest.isPresent() && before.longest().isPresent()
                || mostBytes.isPresent() && before.mostBytes().isPresent()) {
            throw new IllegalArgumentException(
                    "--retain " + topic + ": expected one time and one size at most, found two of a kind");
        }
        Retention timed = longest.map(before::withLongest).orElse(before);
        return mostBytes.isPresent() ? timed.withMostBytes(mostBytes.getAsLong()) : timed;
    }

    /** Reads the written form; throws {@link IllegalArgumentException} that names what was expected. */
    public static TopicRetention parse(String text) {
        int sign = text.indexOf('=');
        String value = text.substring(sign + 1).strip();
        try {
            String topic = Names.topic(text.substring(0, Math.max(0, sign)));
            TopicRetention retention = value.endsWith("B") || value.endsWith("b")
                    ? new TopicRetention(
                            topic,
                            Optional.empty(),
                            OptionalLong.of(ByteSize.parse(value).bytes()))
                    : new TopicRetention(topic, Optional.of(TimeSpan.parse(value)), OptionalLong.empty());
            if (retention.longest().filter(Duration::isZero).isPresent()
                    || retention.mostBytes().orElse(1) == 0) {
                throw new IllegalArgumentException("an archive that keeps nothing is none");
            }
            return retention;
        } catch (WireException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected TOPIC=TIME like climate.daily=30d, or TOPIC=SIZE like climate.daily=500GiB, more than 0, found '"
                            + text + "'",
                    e);
        }
    }

    /** Lets picocli read it. */
    public static final class Converter implements ITypeConverter<TopicRetention> {
        @Override
        public TopicRetention convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
