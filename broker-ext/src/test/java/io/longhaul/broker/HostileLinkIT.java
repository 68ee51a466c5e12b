package io.longhaul.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.broker.link.LinkCodec;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkHandler;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.longhaul.ptcp.net.PtcpClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strangers where brokers link, and brokers that have an account and no manners. */
class HostileLinkIT {
    private static final Duration SOON = Duration.ofSeconds(8);
    private static final String PASSWORD = "secret";

    @TempDir
    private static Path directory;

    private static final List<AutoCloseable> OPENED = new ArrayList<>();
    private static Broker broker;
    private static PtcpClient client;

    @BeforeAll
    static void launch() {
        Path users = directory.resolve("users.yaml");
        UsersFile.empty()
                .with(account("agent", false))
                .with(account("site", true))
                .write(users);
        broker = Broker.launch(BrokerConfig.of("hub", directory.resolve("hub"))
                .withListen("127.0.0.1:0")
                .withListenCore(List.of("127.0.0.1:0"))
                .withUsers(users));
        OPENED.add(broker);
        client = PtcpClient.launch("hostile", 1);
        OPENED.add(client);
    }

    @AfterAll
    static void close() throws Exception {
        for (int i = OPENED.size() - 1; i >= 0; i--) {
            OPENED.get(i).close();
        }
    }

    private static Account account(String name, boolean link) {
        List<TopicPattern> all = List.of(new TopicPattern("#"));
        PasswordHash password = PasswordHash.of(PASSWORD.toCharArray(), new Random(1));
        return new Account(name, password, all, all, link, false, FileRights.ALL, Optional.empty());
    }

    /** One who opens a link, and says what a test wants. */
    private final class Stranger implements LinkHandler {
        final BlockingQueue<LinkFrame> heard = new LinkedBlockingQueue<>();
        final BlockingQueue<String> end = new LinkedBlockingQueue<>();
        private final Consumer<LinkSession> first;

        Stranger(Consumer<LinkSession> first) throws Exception {
            this.first = first;
            PtcpParameters parameters = PtcpParameters.of(Map.of("host", "127.0.0.1", "port", broker.port()));
            client.open(
                            parameters.target(Map.of(), Runnable::run),
                            parameters.config(),
                            session -> LinkSession.opening(session, this))
                    .get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        @Override
        public void opened(LinkSession session) {
            first.accept(session);
        }

        @Override
        public void received(LinkSession session, LinkFrame frame) {
            if (frame instanceof LinkFrame.Welcome) {
                session.trust();
            }
            heard.add(frame);
        }

        @Override
        public void writable(LinkSession session) {}

        @Override
        public void ended(LinkSession session, String why) {
            end.add(why);
        }

        String refusal() throws InterruptedException {
            assertThat(heard.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(LinkFrame.Refused.class);
            return end.poll(SOON.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static LinkFrame.Hello hello(String name, String user, String password) {
        return new LinkFrame.Hello(LinkCodec.VERSION, name, user, password);
    }

    private static ByteBuf bytes(int... values) {
        ByteBuf bytes = Unpooled.buffer();
        for (int value : values) {
            bytes.writeInt(value);
        }
        return bytes;
    }

    /** Links as a broker that may, and then says something. */
    private Stranger linked(String name, Consumer<LinkSession> then) throws Exception {
        LinkSession[] standing = new LinkSession[1];
        Stranger stranger = new Stranger(session -> {
            standing[0] = session;
            session.send(hello(name, "site", PASSWORD));
        });
        assertThat(stranger.heard.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(LinkFrame.Welcome.class);
        standing[0].execute(() -> then.accept(standing[0]));
        return stranger;
    }

    private void assertEnds(Stranger stranger) throws InterruptedException {
        assertThat(stranger.end.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isNotNull();
    }

    private void assertServes() throws Exception {
        try (Client agent = Client.connect(broker.corePort(), "agent", PASSWORD, Map.of())) {
            if (!agent.session.queueQuery(SimpleString.of("lh.sub.t@s")).isExists()) {
                agent.subscription("t", "s");
            }
            agent.sendAndWait(
                    "lh.topic.t", agent.message("piece", "00000000000000000000000000000001", 0, new byte[1000]));
        }
    }

    @Test
    void shouldEndWhatIsNoGreeting() throws Exception {
        // given
        byte[] noise = new byte[2000];
        new Random(1).nextBytes(noise);
        noise[0] = 0;
        noise[1] = 0;

        // when, then
        assertEnds(new Stranger(session -> session.write(Unpooled.wrappedBuffer(noise))));
        assertEnds(new Stranger(session -> session.write(bytes(Integer.MAX_VALUE, 0))));
        assertEnds(new Stranger(session -> session.write(bytes(-1))));
        assertEnds(new Stranger(session -> session.write(bytes(LinkCodec.MOST_FIRST_BYTES + 1))));
        assertEnds(new Stranger(session -> session.send(new LinkFrame.Known(1))));
        assertEnds(new Stranger(session ->
                session.send(new LinkFrame.Carried(1, "", Unpooled.copiedBuffer("x", StandardCharsets.UTF_8)))));
        assertServes();
    }

    @Test
    void shouldRefuseWhoMayNotLink() throws Exception {
        assertThat(new Stranger(session -> session.send(hello("leaf", "site", "wrong"))).refusal())
                .isNotNull();
        assertThat(new Stranger(session -> session.send(hello("leaf", "agent", PASSWORD))).refusal())
                .isNotNull();
        assertThat(new Stranger(session -> session.send(hello("no name", "site", PASSWORD))).refusal())
                .isNotNull();
        assertThat(new Stranger(session -> session.send(hello("hub", "site", PASSWORD))).refusal())
                .isNotNull();
        assertServes();
    }

    @Test
    @Tag("slow") // they have ten seconds
    void shouldWaitForNobodyWhoDoesNotGreet() throws Exception {
        // given
        Stranger silent = new Stranger(session -> {});
        Stranger slow = new Stranger(session -> session.write(bytes(100)));

        // when, then
        assertServes();
        await().atMost(Duration.ofSeconds(15)).until(() -> !silent.end.isEmpty() && !slow.end.isEmpty());
    }

    @Test
    void shouldEndALinkThatBreaksARuleAndServeAllOthers() throws Exception {
        // when, then
        assertEnds(linked("b", session -> session.send(new LinkFrame.Report("{".getBytes(StandardCharsets.UTF_8)))));
        assertEnds(linked("c", session -> session.send(hello("d", "site", PASSWORD))));
        assertEnds(linked("d", session -> session.write(bytes(LinkCodec.MOST_BYTES + 1))));
        assertEnds(linked("e", session -> {
            ByteBuf wants = Unpooled.buffer().writeInt(1 + 8 + 1 + 4 + 4).writeByte(4);
            session.write(wants.writeLong(1).writeBoolean(true).writeInt(0).writeInt(Integer.MAX_VALUE));
        }));
        assertEnds(linked("f", session -> {
            session.send(new LinkFrame.Wants(1, true, Set.of(), Set.of()));
            session.send(new LinkFrame.Wants(2, true, Set.of(), Set.of()));
        }));
        assertServes();
    }

    /** The server's own decoder would ask for all memory, and the process would end. */
    @Test
    void shouldDropAMessageWhoseLengthsAreAbsurd() throws Exception {
        // given
        CoreMessage message = new CoreMessage(1, 64);
        message.setAddress("lh.topic.t");
        message.putBytesProperty(SimpleString.of("lh_piece"), new byte[] {1, 2, 3});
        ByteBuf encoded = Unpooled.buffer();
        message.sendBuffer(encoded, 0);
        int length = encoded.writerIndex() - Integer.BYTES - 3;
        assertThat(encoded.getInt(length)).isEqualTo(3);

        // when
        Stranger stranger = linked("leaf", session -> {
            for (int i = 1; i <= 2; i++) {
                ByteBuf absurd = encoded.copy();
                absurd.setInt(i == 1 ? length : length - 1 - 8 - 2 - 8, Integer.MAX_VALUE);
                session.write(LinkCodec.carried(
                        i,
                        "leaf/",
                        absurd.readableBytes(),
                        out -> out.writeBytes(absurd),
                        UnpooledByteBufAllocator.DEFAULT));
            }
        });

        // then
        await().atMost(SOON).until(() -> stranger.heard.contains(new LinkFrame.Taken(2)));
        assertThat(stranger.end).isEmpty();
        assertServes();
    }
}
