package io.longhaul.it.system;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.SubscribeRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * One agent with many subscriptions, served until it is killed. Arguments: its name, broker, directory, number of topics
 * ({@code crowd.0}, ...), subscriptions on each.
 */
final class CrowdProgram {
    private CrowdProgram() {}

    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        Path directory = Path.of(arguments[2]);
        int topics = Integer.parseInt(arguments[3]);
        int each = Integer.parseInt(arguments[4]);
        long started = System.nanoTime();
        AgentConfig config =
                AgentConfig.of(name, directory.resolve("data"), arguments[1]).withConnectTimeout(Duration.ofMinutes(3));
        try (Agent agent = Agent.open(config)) {
            for (int topic = 0; topic < topics; topic++) {
                for (int i = 0; i < each; i++) {
                    String subscription = name + '-' + i;
                    Path into = directory.resolve("into-" + topic + '-' + i);
                    Files.createDirectories(into);
                    agent.subscribe(
                            SubscribeRequest.of(Crowd.TOPIC + topic, subscription, into),
                            delivered -> say("delivered", started));
                }
            }
            say("ready", started);
            new CountDownLatch(1).await();
        }
    }

    private static synchronized void say(String event, long started) {
        System.out.println(
                "{\"event\":\"" + event + "\",\"millis\":" + (System.nanoTime() - started) / 1_000_000 + "}");
    }
}
