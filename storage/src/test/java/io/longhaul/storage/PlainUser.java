package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs classes of tests in a process whose user is held to permissions, also when the build's user is root. */
public final class PlainUser {
    private static final List<String> WITHOUT_RIGHTS = List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all");
    private static final int MOST_FAILURE_LINES = 30;

    private PlainUser() {}

    /** Fails when one of the classes has a test that fails, or is skipped; skips, loudly, where root cannot give up rights. */
    public static void run(String... tests) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(isRoot() ? WITHOUT_RIGHTS : List.of());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.add(PlainUser.class.getName());
        command.addAll(List.of(tests));
        Process child;
        try {
            child = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            System.err.println("NOT TESTED: a user without root's rights; no setpriv on this machine");
            Assumptions.abort("no setpriv on this machine: " + e.getMessage());
            return;
        }
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
    }

    private static boolean isRoot() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    }

    /** Runs the classes that are named. */
    public static void main(String[] names) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(Stream.of(names)
                                        .map(name -> selectClass(name))
                                        .toList())
                                .build(),
                        listener);
        TestExecutionSummary found = listener.getSummary();
        found.printTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        found.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), MOST_FAILURE_LINES);
        boolean all = found.getTestsFoundCount() > 0 && found.getTestsFoundCount() == found.getTestsSucceededCount();
        System.exit(all ? 0 : 1);
    }
}
