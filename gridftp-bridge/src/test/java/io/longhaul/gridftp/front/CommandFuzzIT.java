package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.command.CommandTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command with arguments that mean nothing: each has one last reply, and the session goes on. */
final class CommandFuzzIT {
    private static final int ROUNDS = 1500;
    private static final List<String> ARGUMENTS = List.of(
            "",
            " ",
            "/",
            "..",
            "f",
            "naïve \u4e2d",
            "-1",
            "99999999999999999999999",
            "0-5,3-2",
            "P 0 99 f",
            "A 999999999999999999 f",
            "|1|127.0.0.1|9|",
            "1,2,3,4,5,6",
            "MD5 0 -1 f",
            "%s%n%x",
            "20260101000000 f",
            "RETR Parallelism=99999;",
            "PASV AllowDelayed=1;",
            "a;b=c\"\\'$(x)`y`");

    @TempDir
    private Path place;

    @Test
    void shouldAnswerOnceAndGoOnWhenArgumentsMeanNothing() {
        // given
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> verbs = new ArrayList<>(new CommandTable().names());
        verbs.removeAll(List.of("QUIT", "USER", "PASS"));
        FrontLimits limits = FrontLimits.defaults()
                .withTimes(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofMillis(1), Duration.ofMillis(1));
        try (Fronts front =
                        Fronts.anonymous(place.resolve("root"), Fronts.config().withLimits(limits));
                FtpClient client = FtpClient.anonymous(front.port())) {
            front.put("f", new byte[10]);
            for (int i = 0; i < ROUNDS; i++) {
                // when
                String verb = verbs.get(random.nextInt(verbs.size()));
                String argument = ARGUMENTS.get(random.nextInt(ARGUMENTS.size()));
                String before = random.nextInt(5) == 0 ? "SITE " : "";
                client.send(before + verb + " " + argument);

                // then
                assertThat(client.last())
                        .as("seed %d, round %d: %s %s", seed, i, verb, argument)
                        .matches("(?s)[2-5][0-9][0-9][ -].*");
            }
            client.expect(200, "NOOP");
        }
    }
}
