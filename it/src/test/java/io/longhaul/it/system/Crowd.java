package io.longhaul.it.system;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Testbed;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Processes of one agent each that has many subscriptions. */
final class Crowd {
    /** Topics begin like this and end with their number. */
    static final String TOPIC = "crowd.";

    private Crowd() {}

    /** Starts one whose subscriptions are {@code NAME-0}, ... on each of so many topics. */
    static Child start(Testbed testbed, Network site, String name, int topics, int each) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Xss512k",
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("java.class.path"),
                CrowdProgram.class.getName(),
                name,
                site.address(),
                testbed.directory(name).toString(),
                Integer.toString(topics),
                Integer.toString(each));
        return testbed.start(name, command, Map.of());
    }
}
