package io.longhaul.gridftp.session;

import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.data.DataChannels;
import io.longhaul.gridftp.data.DataNetwork;
import io.longhaul.gridftp.data.TransferContext;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.security.ClearText;
import io.longhaul.gridftp.security.Protection;
import io.longhaul.gridftp.security.SecurityContext;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one client's conversation, as its verbs see it. Made, used and closed on the control channel's event loop.
 */
public final class Session {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** How long a client that does not read may put off the end. */
    private static final int CLOSE_SECONDS = 5;

    private static final int LOOK_MILLIS = 200;
    private static final int TCP_CLOSE = 7; // of Linux: net/tcp_states.h

    private final Channel channel;
    private final SessionContext context;
    private final BooleanSupplier hasMore;
    private final Login login;
    private final DataChannels data;
    private final TransferSettings settings = new TransferSettings();
    private SecurityContext security = new ClearText();
    private Optional<Backend> files = Optional.empty();
    private FilePath directory = FilePath.ROOT;
    private boolean isClosing;
    private boolean isEnding;
    private boolean isClosedSoon;
    private Runnable stop = () -> {};

    /**
     * Begins.
     *
     * @param hasMore whether anything has come behind the command that runs
     */
    Session(Channel channel, SessionContext context, BooleanSupplier hasMore) {
        this.channel = channel;
        this.context = context;
        this.hasMore = hasMore;
        this.login = new Login(context, this);
        FrontConfig config = context.config();
        DataNetwork network = new DataNetwork(
                channel.eventLoop(),
                address(channel.remoteAddress()),
                address(channel.localAddress()),
                config.thirdParties(),
                config.passivePorts(),
                config.limits(),
                context.world().random());
        this.data = new DataChannels(
                network,
                new TransferContext(
                        channel.eventLoop(),
                        config.limits(),
                        this::reply,
                        context.world().clock(),
                        context.world().nanoTime(),
                        context.world().arriving()));
    }

    private static InetAddress address(SocketAddress end) {
        return ((InetSocketAddress) end).getAddress();
    }

    public SessionContext context() {
        return context;
    }

    public EventLoop loop() {
        return channel.eventLoop();
    }

    public Login login() {
        return login;
    }

    public DataChannels data() {
        return data;
    }

    public TransferSettings settings() {
        return settings;
    }

    public SecurityContext security() {
        return security;
    }

    /** Returns where the client is. */
    public InetAddress client() {
        return data.network().client();
    }

    /** Returns the address that clients are told to connect to. */
    public InetAddress publicAddress() {
        InetAddress local = data.network().local();
        // one of the other protocol is of no use to this client: nobody listens there
        return context.config()
                .publicAddress()
                .filter(address -> address.getClass() == local.getClass())
                .orElse(local);
    }

    /** Returns whether a client that says this means the front that it talks to, as far as can be told without asking. */
    public boolean isHere(String host, int port) {
        InetSocketAddress here = (InetSocketAddress) channel.localAddress();
        if (port != here.getPort()) {
            return false;
        }
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        return literal == null
                ? host.equalsIgnoreCase("localhost") && here.getAddress().isLoopbackAddress()
                : Arrays.equals(literal, here.getAddress().getAddress())
                        || context.config()
                                .publicAddress()
                                .filter(address -> Arrays.equals(literal, address.getAddress()))
                                .isPresent();
    }

    /** Returns the user's files; verbs that strangers may use have none. */
    public Backend files() {
        return files.orElseThrow(() -> new IllegalStateException("nobody has logged in"));
    }

    /** Returns the current directory. */
    public FilePath directory() {
        return directory;
    }

    public void directory(FilePath path) {
        directory = path;
    }

    /** Returns what the client means by a path; {@code ~}, as Globus clients write it, is where every session begins. */
    public FilePath path(String text) {
        return text.equals("~") || text.startsWith("~/") ? FilePath.of(text.substring(1)) : directory.resolve(text);
    }

    void opened(Principal user) {
        files = Optional.of(context.backends().of(user));
        LOG.info("{} logged in as {}", client().getHostAddress(), user.name());
    }

    /** Sends a reply now; the last one of a command is sent by the session itself. */
    public void reply(Reply reply) {
        StringBuilder text = new StringBuilder();
        security.wrap(reply.wireLines()).forEach(line -> text.append(line).append("\r\n"));
        channel.writeAndFlush(ByteBufUtil.writeUtf8(channel.alloc(), text));
    }

    /** Closes the control channel when what has been said is out. */
    public void closeAfterReply() {
        isClosing = true;
    }

    boolean isClosing() {
        return isClosing;
    }

    /** Takes more from the client, or leaves it in the network. */
    void read(boolean wanted) {
        channel.config().setAutoRead(wanted);
    }

    /** Returns whether the client has read enough of what it was told to be told more. */
    boolean isHeard() {
        return channel.isWritable();
    }

    /** ABOR has come for a command that runs. */
    void abort() {
        stop.run();
    }

    /** What the command that runs does must be stopped like this when nobody wants it any more. */
    public void whenUnwanted(Runnable action) {
        stop = action;
    }

    void ended() {
        stop = () -> {};
    }

    /**
     * Ends what is said here when everything is out, and closes when the client has, or soon after when it does not. Until
     * then what still comes is read and dropped: a close with bytes unread is a reset, which takes the last reply with it.
     */
    void closeNow() {
        if (isEnding) {
            return;
        }
        isEnding = true;
        isClosing = true;
        closeSoon();
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(done -> {
            close();
            endOutput();
            read(true);
        });
    }

    private void endOutput() {
        DuplexChannel ended = (DuplexChannel) channel;
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        ChannelFuture said = tls == null ? channel.newSucceededFuture() : tls.closeOutbound();
        said.addListener(done -> ended.shutdownOutput().addListener(shut -> closeWhenEnded()));
    }

    /** Closes when both sides have ended: nothing does so by itself. */
    void closeWhenEnded() {
        DuplexChannel ended = (DuplexChannel) channel;
        if (ended.isShutdown()) {
            ended.close();
        }
    }

    /** Closes in a moment, whatever is under way by then, and at once when the connection is gone. */
    void closeSoon() {
        if (isClosedSoon) {
            return;
        }
        isClosedSoon = true;
        long endNs = context.world().nanoTime().getAsLong() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        ScheduledFuture<?> closing = loop().scheduleAtFixedRate(
                        () -> {
                            if (isGone() || context.world().nanoTime().getAsLong() - endNs >= 0) {
                                channel.close();
                            }
                        },
                        LOOK_MILLIS,
                        LOOK_MILLIS,
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(done -> closing.cancel(false));
    }

    /** Of a connection whose input has ended the system tells its end for ever, and Netty nothing. */
    private boolean isGone() {
        return channel.isOpen()
                && channel instanceof EpollSocketChannel socket
                && socket.tcpInfo().state() == TCP_CLOSE;
    }

    /** Returns whether anything has come behind the command that runs. */
    public boolean hasMore() {
        return hasMore.getAsBoolean();
    }

    /** Begins TLS behind the reply that is sent next. */
    public void startTls(SslContext tls, SecurityContext under) {
        login.forgetName();
        channel.pipeline().addFirst(new SslHandler(tls.newEngine(channel.alloc()), true));
        security = under;
        data.secure(under, Protection.CLEAR);
    }

    /** Ends what the client has under way; done when all that it has taken is free. Idempotent. */
    CompletableFuture<Void> close() {
        stop.run();
        return data.close().thenRun(login::close);
    }
}
