package io.longhaul.ptcp.net;

import io.longhaul.ptcp.frame.Answer;
import io.longhaul.ptcp.frame.Greeting;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** One TCP connection whose bytes are made by hand. Blocking; one thread. */
final class Stranger implements AutoCloseable {
    private static final int SILENCE_MILLIS = 10_000;
    private static final int ABORT = 9;
    private static final int SMALL_BUFFER = 4096;
    private final Socket socket = new Socket();

    private Stranger() {}

    static Stranger connect(int port) throws IOException {
        Stranger made = new Stranger();
        made.socket.setReceiveBufferSize(SMALL_BUFFER);
        made.socket.setSoTimeout(SILENCE_MILLIS);
        made.socket.setTcpNoDelay(true);
        made.socket.connect(new InetSocketAddress("127.0.0.1", port));
        return made;
    }

    static byte[] text(String words) {
        return words.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the same bytes without a meaning each time. */
    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(7).nextBytes(bytes);
        return bytes;
    }

    static void leave(List<Stranger> crowd) throws IOException {
        for (Stranger one : crowd) {
            one.close();
        }
    }

    /** Returns a frame, possible or not. */
    static byte[] frame(int type, int length, long position, byte... body) {
        return ByteBuffer.allocate(16 + body.length)
                .putInt(type << 24)
                .putInt(length)
                .putLong(position)
                .put(body)
                .array();
    }

    Stranger send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    Stranger send(Greeting greeting) throws IOException {
        ByteBuf out = Unpooled.buffer(Greeting.BYTES, Greeting.BYTES);
        greeting.write(out);
        return send(out.array());
    }

    /** Reads the answer; throws what a refusal says. */
    Answer answer() throws IOException {
        return Answer.read(Unpooled.wrappedBuffer(read(Answer.BYTES)));
    }

    /** Reads so many bytes, or fewer when the connection ends. */
    byte[] read(int length) throws IOException {
        return socket.getInputStream().readNBytes(length);
    }

    /** Returns what comes until the connection ends, which it must. */
    String rest() throws IOException {
        StringBuilder found = new StringBuilder();
        try {
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                found.append((char) next);
            }
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return found.toString(); // ended with a reset
        }
        return found.toString();
    }

    /** Returns whether the other end has not closed it; must not be asked while bytes are expected. */
    boolean isOpen() throws IOException {
        socket.setSoTimeout(1);
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            socket.setSoTimeout(SILENCE_MILLIS);
        }
    }

    /** Ends the whole session, of which this is the control channel. */
    void abort() throws IOException {
        send(frame(ABORT, 0, 0));
        leave();
    }

    /** Ends it when the test goes on. */
    void leave() throws IOException {
        socket.close();
    }

    /** Ends it with a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
