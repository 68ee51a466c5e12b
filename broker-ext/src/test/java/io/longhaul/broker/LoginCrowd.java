package io.longhaul.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.core.buffers.impl.ChannelBufferWrapper;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.CreateSessionMessage_V2;
import org.apache.activemq.artemis.utils.VersionLoader;

/** Many who log in at once with a wrong password, each from an address of its own: no address is shut out for it. */
final class LoginCrowd implements AutoCloseable {
    private static final int SESSION_CHANNEL = 1;
    private final List<Socket> members = new ArrayList<>();

    private LoginCrowd() {}

    /** Returns when all have asked; none has waited for its answer. */
    static LoginCrowd of(int count, int port, String user) throws IOException {
        LoginCrowd crowd = new LoginCrowd();
        try {
            for (int i = 0; i < count; i++) {
                Socket member = new Socket();
                crowd.members.add(member);
                byte[] own = {127, 0, (byte) (1 + i / 200), (byte) (1 + i % 200)};
                member.bind(new InetSocketAddress(InetAddress.getByAddress(own), 0));
                member.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                member.getOutputStream().write(login(user, "guess " + i));
            }
        } catch (IOException e) {
            crowd.close();
            throw e;
        }
        return crowd;
    }

    private static byte[] login(String user, String password) {
        ByteBuf bytes = Unpooled.buffer();
        bytes.writeCharSequence("ARTEMIS", StandardCharsets.US_ASCII);
        int start = bytes.writerIndex();
        CreateSessionMessage_V2 request = new CreateSessionMessage_V2(
                "a session",
                10,
                VersionLoader.getVersion().getIncrementingVersion(),
                user,
                password,
                1 << 20,
                false,
                true,
                true,
                false,
                1 << 20,
                null,
                null);
        bytes.writeInt(0).writeByte(request.getType()).writeLong(SESSION_CHANNEL);
        request.encodeRest(new ChannelBufferWrapper(bytes));
        bytes.setInt(start, bytes.writerIndex() - start - Integer.BYTES);
        byte[] all = new byte[bytes.readableBytes()];
        bytes.readBytes(all);
        return all;
    }

    /** Returns how many have no answer yet. */
    long waiting() throws IOException {
        long count = 0;
        for (Socket member : members) {
            count += hasAnswer(member) ? 0 : 1;
        }
        return count;
    }

    private static boolean hasAnswer(Socket member) throws IOException {
        try {
            return member.getInputStream().available() > 0;
        } catch (SocketException e) {
            return true; // dropped
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket member : members) {
            member.close();
        }
    }
}
