package io.longhaul.examples;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import java.nio.file.Path;

/**
 * Publishes what comes from standard input under a name.
 *
 * <pre>
 * java -cp 'examples/target/lib/*' io.longhaul.examples.PublishStream BROKER DATA TOPIC NAME &lt; BYTES
 * </pre>
 *
 * A stream can be read only once, so its pieces are kept in the agent's spool until the broker has them.
 */
public final class PublishStream {
    private static final int ARGUMENTS = 4;

    private PublishStream() {}

    public static void main(String[] arguments) {
        if (arguments.length != ARGUMENTS) {
            System.err.println("usage: PublishStream BROKER DATA TOPIC NAME");
            System.exit(2);
        }
        AgentConfig config = AgentConfig.of("publish-stream", Path.of(arguments[1]), arguments[0]);
        PublishRequest request = PublishRequest.of(System.in, arguments[3], arguments[2]);

        try (Agent agent = Agent.open(config)) {
            PublicationResult result = agent.publish(request).result().join();
            System.out.println(
                    "published " + result.name() + ", " + result.length() + " bytes, SHA-256 " + result.digest());
        }
    }
}
