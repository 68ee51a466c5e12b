package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.TcpBytes;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Wan;
import io.longhaul.it.testbed.WanTree;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One copy over each link of long networks that lose packets, by the count of the kernel's TCP. */
@ExtendWith(TestbedExtension.class)
final class LinkBytesIT {
    private static final String TOPIC = "link-bytes";
    private static final double MOST_PER_LINK = 1.03;

    @Test
    void shouldSendOneCopyOverEachOfTwoLinks(Testbed testbed) {
        // given
        Wan wan = Wan.orSkip(testbed, new Wan.Link("20ms", "0.01%", "400mbit"), 1, "--sites", "3");
        WanTree tree = WanTree.start(testbed, wan, "ab", "bc");
        tree.subscribe(TOPIC, "b", 1);
        tree.subscribe(TOPIC, "c", 2);

        // when, then
        assertOneCopy(testbed, tree, "a", 32);
    }

    @Test
    @Tag("slow")
    void shouldSendOneCopyOverEachOfSixLinksHoweverManySubscribe(Testbed testbed) {
        // given
        Wan wan = Wan.orSkip(testbed, new Wan.Link("50ms", "0.01%", "200mbit"), 1, "--sites", "7");
        WanTree tree = WanTree.start(testbed, wan, "ab", "ac", "bd", "be", "cf", "cg");

        for (int more : new int[] {1, 1, 2}) {
            // when
            for (String leaf : new String[] {"d", "e", "f", "g"}) {
                tree.subscribe(TOPIC, leaf, more);
            }

            // then
            assertOneCopy(testbed, tree, "a", 64);
        }
        assertOneCopy(testbed, tree, "e", 64);
    }

    private static void assertOneCopy(Testbed testbed, WanTree tree, String from, int mebibytes) {
        Path source = TestFile.random(
                testbed.file("from-" + from + "-to-" + tree.behind("ab")), mebibytes, mebibytes * TestFile.MIB);
        Map<String, TcpBytes.Sent> links = tree.publish(source, TOPIC, from);
        System.out.printf(
                "%d MiB from %s%nlink  subscribers behind  bytes_sent - bytes_retrans : file  bytes_retrans%n",
                mebibytes, from);
        links.forEach((link, sent) -> System.out.printf(
                "%4s  %18d  %36.4f  %13d%n", link, tree.behind(link), ratio(sent, source), sent.again()));
        assertThat(links)
                .allSatisfy((link, sent) ->
                        assertThat(ratio(sent, source)).as("link %s", link).isBetween(1.0, MOST_PER_LINK));
    }

    private static double ratio(TcpBytes.Sent sent, Path source) {
        return sent.first() / (double) source.toFile().length();
    }
}
