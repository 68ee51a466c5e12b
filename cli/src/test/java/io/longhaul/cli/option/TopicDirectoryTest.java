package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class TopicDirectoryTest {

    @Test
    void shouldSplitAtFirstSignWhenTopicComesFirst() {
        // when
        TopicDirectory incoming = new TopicDirectory.Incoming().convert("a.b=/srv/x=y");

        // then
        assertThat(incoming).isEqualTo(new TopicDirectory("a.b", Path.of("/srv/x=y")));
    }

    @Test
    void shouldSplitAtLastSignWhenTopicComesLast() {
        // when
        TopicDirectory outgoing = new TopicDirectory.Outgoing().convert("/srv/x=y=a.b");

        // then
        assertThat(outgoing).isEqualTo(new TopicDirectory("a.b", Path.of("/srv/x=y")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"topic", "=dir", "topic=", ""})
    void shouldNameTheFormWhenAPartIsMissing(String text) {
        // then
        assertThatThrownBy(() -> new TopicDirectory.Incoming().convert(text))
                .hasMessage("expected TOPIC=DIR, found '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"topic", "=dir", "topic=", "", "to pic=dir"})
    void shouldRefuseWhenTopicOrDirectoryIsMissing(String text) {
        // then
        assertThatThrownBy(() -> new TopicDirectory.Incoming().convert(text))
                .isInstanceOf(TypeConversionException.class);
    }
}
