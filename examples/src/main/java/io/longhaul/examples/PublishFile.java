package io.longhaul.examples;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.Progress;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Publishes a file or a directory, shows progress, and waits for receipts.
 *
 * <pre>
 * java -cp 'examples/target/lib/*' io.longhaul.examples.PublishFile BROKER DATA TOPIC FILE RECEIPTS
 * </pre>
 *
 * Killed and started again with the same arguments it goes on where it was: DATA holds its ledger.
 */
public final class PublishFile {
    private static final int ARGUMENTS = 5;

    private PublishFile() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != ARGUMENTS) {
            System.err.println("usage: PublishFile BROKER DATA TOPIC FILE RECEIPTS");
            System.exit(2);
        }
        AgentConfig config = AgentConfig.of("publish-file", Path.of(arguments[1]), arguments[0]);
        PublishRequest request =
                PublishRequest.of(Path.of(arguments[3]), arguments[2]).withReceipts(Integer.parseInt(arguments[4]));

        try (Agent agent = Agent.open(config)) {
            Publication publication = agent.publish(request);
            PublicationResult result = await(publication);
            System.out.println(
                    "published " + result.name() + ", " + result.length() + " bytes, SHA-256 " + result.digest());
            for (Receipt receipt : result.receipts()) {
                System.out.println(receipt.subscription() + " " + receipt.outcome() + " " + receipt.path());
            }
        }
    }

    /** The result is a future; until it is there, snapshots tell how far it is. */
    private static PublicationResult await(Publication publication) throws InterruptedException, ExecutionException {
        CompletableFuture<PublicationResult> result = publication.result();
        while (true) {
            try {
                return result.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                Progress progress = publication.progress();
                System.err.println(progress.phase() + " " + progress.safeBytes() + " of " + progress.totalBytes());
            }
        }
    }
}
