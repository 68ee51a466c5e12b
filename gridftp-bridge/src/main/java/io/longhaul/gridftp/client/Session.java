package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.DataAddress;
import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.PathWords;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A conversation with a server, logged in. One thread at a time, which may wait; every failure is a
 * {@link BackendException}.
 */
public final class Session implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final ClientConfig config;
    private final InetSocketAddress address;
    private final Control control;
    private Features features = new Features(Map.of());
    private boolean isExtended;
    private boolean lacksEpsv;
    private boolean lacksCksm;

    private Session(ClientConfig config, InetSocketAddress address, Control control) {
        this.config = config;
        this.address = address;
        this.control = control;
    }

    /** Connects to the first of the host's addresses that answers, and logs in. */
    static Session open(ClientConfig config, EventLoop loop) {
        String server = config.url().address();
        BackendException refused = BackendException.away(server + ": host not found", null);
        try {
            for (InetAddress address : InetAddress.getAllByName(config.url().host())) {
                try {
                    return open(
                            config,
                            loop,
                            new InetSocketAddress(address, config.url().port()));
                } catch (ConnectFailure e) {
                    refused = e.failure;
                }
            }
        } catch (UnknownHostException e) {
            throw BackendException.away(server + ": host not found", e);
        }
        throw refused;
    }

    /** Nobody listens at an address; others may be tried. */
    private static final class ConnectFailure extends Exception {
        private static final long serialVersionUID = 1L;

        private final BackendException failure;

        ConnectFailure(BackendException failure) {
            super(failure);
            this.failure = failure;
        }
    }

    private static Session open(ClientConfig config, EventLoop loop, InetSocketAddress address) throws ConnectFailure {
        String server = config.url().address();
        Duration limit = config.limits().connect();
        PathWords words = PathWords.below(config.url().base());
        CompletableFuture<Reply> greeting = new CompletableFuture<>();
        CompletableFuture<Control> made =
                new CompletableFuture<>(); // the channel forgets it when the server closes at once
        try {
            Waiting.on(
                    Network.connect(loop, address, limit, true, opened -> {
                        Control control = new Control(server, opened, words);
                        made.complete(control);
                        control.greeting().whenComplete((reply, failure) -> {
                            if (failure == null) {
                                greeting.complete(reply);
                            } else {
                                greeting.completeExceptionally(failure);
                            }
                        });
                        return new ChannelHandler[] {Control.decoder(), control};
                    }),
                    limit.plus(SOON),
                    server);
        } catch (BackendException e) {
            throw new ConnectFailure(e);
        }
        Session session = new Session(config, address, made.join());
        try {
            session.positive(Waiting.on(greeting, limit, server + ": greeting"), "greeting");
            session.login();
            return session;
        } catch (BackendException e) {
            session.close();
            throw e;
        }
    }

    private void login() {
        Duration limit = config.limits().connect();
        if (config.tls().isPresent()) {
            SslContext tls = config.tls().get();
            positive(call("AUTH TLS", limit), "AUTH TLS");
            secure(tls, limit);
        }
        Credentials who = config.credentials();
        Reply user = call("USER " + who.user(), limit);
        if (user.code() == 331) {
            user = call("PASS " + who.password(), limit);
        }
        positive(user, "login as " + who.user());
        if (config.tls().isPresent()) {
            positive(call("PBSZ 0", limit), "PBSZ");
            positive(call("PROT P", limit), "PROT P");
        }
        features = Features.of(call("FEAT", limit));
        if (features.has("UTF8")) {
            // some want to be asked, others refuse though they do it anyway
            call("OPTS UTF8 ON", limit);
        }
        if (features.has("CKSM")) {
            // signs of life while it computes
            call("OPTS CKSM markers=5;", limit);
        }
        positive(call("TYPE I", limit), "TYPE I");
    }

    private void secure(SslContext tls, Duration limit) {
        try {
            Waiting.on(
                    control.secure(tls, config.url().host(), config.url().port()),
                    limit,
                    config.url().address() + ": TLS handshake");
        } catch (BackendException e) {
            throw Failures.ofHandshake(e);
        }
    }

    private void positive(Reply reply, String step) {
        if (!reply.isPositive() || reply.code() == 331 || reply.code() == 332) {
            throw Failures.ofLogin(config.url().address() + ": " + step, reply);
        }
    }

    /** Returns what the server says it can do. */
    public Features features() {
        return features;
    }

    /** Returns what this client was told about the server. */
    public ClientConfig config() {
        return config;
    }

    /** Returns whether checksums may be asked for: the server says so, or has not refused yet. */
    public boolean hasChecksum(String algorithm) {
        boolean unsaid = !features.has("CKSM") && !features.has("CKSUM");
        return !lacksCksm && (unsaid || features.hasChecksum(algorithm));
    }

    /** The server refused to compute checksums. */
    public void lacksChecksums() {
        lacksCksm = true;
    }

    EventLoop loop() {
        return control.channel().eventLoop();
    }

    /** Returns whether it can take a command. */
    public boolean isReady() {
        return control.isReady();
    }

    /** Sends a command that moves no bytes and returns its last reply. */
    public Reply call(String line) {
        return call(line, config.limits().reply());
    }

    /** Sends a command and returns its last reply, which may take as long as this. */
    public Reply call(String line, Duration limit) {
        return call(line, limit, reply -> {});
    }

    /**
     * Sends a command and returns its last reply, which may take as long as this.
     *
     * @param preliminary told replies that others follow, on an event loop
     */
    public Reply call(String line, Duration limit, Consumer<Reply> preliminary) {
        int space = line.indexOf(' ');
        String what = config.url().address() + ": " + (space < 0 ? line : line.substring(0, space));
        try {
            return Waiting.on(control.send(line, preliminary), limit, what);
        } catch (BackendException e) {
            if (e.code() == Code.UNAVAILABLE) {
                control.fail(e);
            }
            throw e;
        }
    }

    /** Sends a command that must succeed; failures begin with what it was for. */
    public Reply expect(String what, String line) {
        Reply reply = call(line);
        if (!reply.isPositive()) {
            throw Failures.of(what, reply);
        }
        return reply;
    }

    /** Returns whether the server answers. */
    boolean isAlive() {
        try {
            return isReady() && call("NOOP", SOON).code() != 421;
        } catch (BackendException e) {
            return false;
        }
    }

    /** Uses MODE E or MODE S from now on; returns whether it does. */
    public boolean mode(boolean extended) {
        if (extended != isExtended) {
            Reply reply = call(extended ? "MODE E" : "MODE S");
            if (!reply.isPositive()) {
                return false;
            }
            isExtended = extended;
            if (extended) {
                // often enough that little has to be sent again, and that nobody waits long for a promise
                call("TREV RESTART 2");
            }
        }
        return true;
    }

    /**
     * Asks for an address for data. What the server says is believed for its own address and for those that are allowed;
     * any other is replaced by the control connection's. {@code EPSV} names no address, so data that may be elsewhere takes
     * {@code PASV}, which knows no addresses of IPv6.
     */
    InetSocketAddress passive() {
        boolean isElsewhere = !config.dataHosts().isEmpty() && address.getAddress() instanceof Inet4Address;
        if (!lacksEpsv && !isElsewhere) {
            Reply reply = call("EPSV");
            if (reply.code() == 229) {
                return new InetSocketAddress(address.getAddress(), parsed(reply, DataAddress::parseEpsv));
            }
            lacksEpsv = true;
        }
        Reply reply = expect(config.url().address() + ": PASV", "PASV");
        InetSocketAddress told = parsed(reply, DataAddress::parsePasv);
        boolean allowed = config.dataHosts().stream().anyMatch(block -> block.contains(told.getAddress()));
        return allowed ? told : new InetSocketAddress(address.getAddress(), told.getPort());
    }

    private <T> T parsed(Reply reply, Function<String, T> form) {
        try {
            return form.apply(String.join(" ", reply.lines()));
        } catch (ProtocolException e) {
            throw new BackendException(
                    Code.FAILED, config.url().address() + ": " + e.getMessage() + ": " + Failures.text(reply), e);
        }
    }

    /** Opens a data connection; the handler is behind TLS where the session is. */
    CompletableFuture<Channel> data(InetSocketAddress to, ChannelHandler handler, boolean autoRead) {
        return Network.connect(loop(), to, config.limits().connect(), autoRead, channel -> {
            // the control connection's name lets TLS resume its session, which servers demand
            return config.tls()
                    .map(tls -> new ChannelHandler[] {
                        tls.newHandler(
                                channel.alloc(),
                                config.url().host(),
                                config.url().port()),
                        handler
                    })
                    .orElse(new ChannelHandler[] {handler});
        });
    }

    CompletableFuture<Reply> begin(String line, Consumer<Reply> preliminary) {
        return control.send(line, preliminary);
    }

    /** Ends the session at once, so that the server ends what it does for it. */
    void fail(BackendException why) {
        control.fail(why);
    }

    /** Says good-bye and closes; returns at once. */
    @Override
    public void close() {
        if (control.isReady()) {
            control.send("QUIT", reply -> {});
        }
        control.fail(new BackendException(Code.UNAVAILABLE, config.url().address() + ": the session is closed"));
    }
}
