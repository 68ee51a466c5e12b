package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a program hands over by mistake is told to it by name, where it did so, not as a failure of a transfer. */
@SuppressWarnings("NullAway") // what is wrong is what is tested
class NullArgumentsTest {
    private static final AgentConfig CONFIG = AgentConfig.of("a", Path.of("data"), "127.0.0.1:7400");
    private static final PublishRequest PUBLISH = PublishRequest.of(Path.of("f"), "t");
    private static final SubscribeRequest SUBSCRIBE = SubscribeRequest.of("t", "s", Path.of("in"));

    private static void assertNames(String argument, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage(argument);
    }

    @Test
    void shouldNameWhatIsNullWhenAnAgentIsOpened() {
        assertNames("config", () -> Agent.open(null));
        assertNames("listener", () -> Agent.open(CONFIG, null));
        assertNames("job", () -> CONFIG.withJob(null));
        assertNames("user", () -> CONFIG.withCredentials(null, ""));
    }

    @Test
    void shouldNameWhatIsNullInARequest() {
        assertNames("source", () -> PublishRequest.of((Path) null, "t"));
        assertNames("stream", () -> PublishRequest.of((InputStream) null, "n", "t"));
        assertNames("name", () -> PublishRequest.of(InputStream.nullInputStream(), null, "t"));
        assertNames("topic", () -> PublishRequest.of(Path.of("f"), null));
        assertNames("name", () -> PUBLISH.withName(null));
        assertNames("subscriptions", () -> PUBLISH.withReceiptsOf(null));
        assertNames("symlinks", () -> PUBLISH.withSymlinks(null));
        assertNames("archive", () -> SUBSCRIBE.withArchive(null));
        assertNames("since", () -> SUBSCRIBE.withSince(null));
        assertNames("ago", () -> SUBSCRIBE.withSinceAgo(null));
        assertNames("target", () -> SUBSCRIBE.withTarget(null));
        assertNames("at", () -> new Since(null, Optional.empty()));
        assertNames("ago", () -> new Since(Optional.empty(), null));
        assertNames("longest", () -> Retention.FOR_EVER.withLongest(null));
    }

    @Test
    void shouldNameWhatIsNullWhenTheNetworkIsAsked() {
        assertNames("brokerUrl", () -> new NetworkView(null, "", "", Duration.ZERO, System::nanoTime));
        assertNames("timeout", () -> new NetworkView("h:1", "", "", null, System::nanoTime));
        assertNames(
                "broker", () -> new NetworkView("h:1", "", "", Duration.ZERO, System::nanoTime).remove(null, false));
    }
}
