package io.longhaul.it.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestbedExtension.class)
final class ExamplesIT {
    private static final String LIBRARIES =
            Path.of("../examples/target/lib").toAbsolutePath().normalize() + "/*";
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @Test
    void shouldDeliverAFileAndAStreamWhenTheExamplesRun(Testbed testbed) {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        String broker = network.address();
        Path into = testbed.directory("in");
        Path file = TestFile.random(testbed.file("rain.nc"), 1, 5 * TestFile.MIB + 7);
        Path names = TestFile.random(testbed.file("names.bin"), 2, 3 * TestFile.MIB);

        // when
        Child subscriber = example(
                testbed,
                "",
                "SubscribeTopic",
                broker,
                data(testbed, "b"),
                "climate.daily",
                "site-b",
                into.toString(),
                "2");
        await().atMost(Child.PATIENCE).until(() -> !subscriber.output().isEmpty());
        Child publisher = example(
                        testbed, "", "PublishFile", broker, data(testbed, "a"), "climate.daily", file.toString(), "1")
                .expectExit(0);
        example(testbed, " < " + names, "PublishStream", broker, data(testbed, "c"), "climate.daily", "names.txt")
                .expectExit(0);
        subscriber.expectExit(0);

        // then
        assertThat(publisher.output())
                .extracting(OutputLine::text)
                .anyMatch(line -> line.contains(TestFile.digest(file)))
                .contains("site-b DELIVERED rain.nc");
        assertThat(into.resolve("rain.nc")).hasSameBinaryContentAs(file);
        assertThat(into.resolve("names.txt")).hasSameBinaryContentAs(names);
    }

    private static String data(Testbed testbed, String name) {
        return testbed.directory("data").resolve(name).toString();
    }

    /** Runs an example through a shell, so that its standard input may be a file. */
    private static Child example(Testbed testbed, String redirection, String program, String... arguments) {
        List<String> words = Stream.concat(
                        Stream.of(JAVA, "-Xmx256m", "-cp", LIBRARIES, "io.longhaul.examples." + program),
                        Stream.of(arguments))
                .map(word -> "'" + word + "'")
                .toList();
        return testbed.start(program, List.of("sh", "-c", "exec " + String.join(" ", words) + redirection), Map.of());
    }
}
