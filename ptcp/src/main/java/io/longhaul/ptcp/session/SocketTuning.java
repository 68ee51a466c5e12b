package io.longhaul.ptcp.session;

import io.netty.channel.ChannelException;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollSocketChannelConfig;
import io.netty.channel.unix.IntegerUnixChannelOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is set at a stream's socket by what TCP says of it; event loop only.
 *
 * <p>On a long path TCP paces it: it spreads what the window allows over the round trip. Without, what a stream may send
 * after a pause comes in one burst at the speed of the machine, and so does a window that has just doubled; several streams
 * at once overflow the path's queue with it. Short paths and small windows have no such bursts, and timers of their own cost
 * the system something. A socket that is paced once stays so: the system does not take it back.
 */
final class SocketTuning {
    private static final Logger LOG = LoggerFactory.getLogger(SocketTuning.class);

    /** Bytes/s, as an unsigned number of 32 bits: the most that is a limit for the system, and none in practice. */
    private static final int HIGHEST_RATE = -2;

    private static final int SOL_SOCKET = 1;
    private static final int SO_MAX_PACING_RATE = 47;
    static final IntegerUnixChannelOption PACING_RATE =
            new IntegerUnixChannelOption("SO_MAX_PACING_RATE", SOL_SOCKET, SO_MAX_PACING_RATE);

    private static final long LONG_PATH_MICROS = 5_000;
    private static final long PACED_WINDOW_BYTES = 1024 * 1024;

    private final EpollSocketChannel socket;
    private final SendRoom room;
    private boolean mayBePaced = true; // until a system refuses
    private boolean paced;
    private int unsentMark;

    SocketTuning(EpollSocketChannel socket, SendRoom room) {
        this.socket = socket;
        this.room = room;
    }

    /**
     * Asks TCP, and sets what follows from it.
     *
     * @throws io.netty.channel.ChannelException when the socket is closed
     */
    TcpState look() {
        TcpState state = TcpState.of(socket);
        apply(state);
        return state;
    }

    /** Sets what follows from such an answer. */
    void apply(TcpState state) {
        EpollSocketChannelConfig config = socket.config();
        if (mayBePaced
                && !paced
                && state.roundTripMicros() > LONG_PATH_MICROS
                && state.windowBytes() > PACED_WINDOW_BYTES) {
            pace(config);
        }
        int buffer = config.getSendBufferSize();
        room.look(buffer, paced ? state.windowBytes() : 0, state.underWayBytes() + state.unsentBytes());
        hold(config, WriteMarks.of(state.windowBytes(), state.roundTripMicros()), buffer);
    }

    private void pace(EpollSocketChannelConfig config) {
        try {
            config.setOption(PACING_RATE, HIGHEST_RATE);
            paced = true;
        } catch (ChannelException e) {
            LOG.debug("the system does not pace: {}", e.toString());
            mayBePaced = false;
        }
    }

    private void hold(EpollSocketChannelConfig config, WriteBufferWaterMark marks, int buffer) {
        if (config.getWriteBufferHighWaterMark() != marks.high()) {
            config.setWriteBufferWaterMark(marks);
        }
        // where room is counted, the system must not stop before it is used up: it would wait for a third of the buffer
        int mark = room.isCounted() ? buffer : WriteMarks.unsentBytes(marks);
        if (mark != unsentMark) {
            config.setTcpNotSentLowAt(mark);
            unsentMark = mark;
        }
    }
}
