package io.longhaul.ptcp.session;

import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

/**
 * What TCP says of a socket: the part of Linux's {@code struct tcp_info} (tcp(7), {@code linux/tcp.h}) that is of use here.
 *
 * <p>Netty's own {@code EpollTcpInfo} ends before the bytes that are not sent yet.
 *
 * @param windowBytes what the network would take in a round trip, by the congestion window
 * @param underWayBytes sent and not acknowledged
 * @param unsentBytes given to the socket and not sent, 0 before Linux 4.6
 * @param roundTripMicros smoothed; 0 while it is not known
 * @param unansweredNs since the last acknowledgement came
 * @param retransmits since the connection began
 */
record TcpState(
        long windowBytes,
        long underWayBytes,
        long unsentBytes,
        long roundTripMicros,
        long unansweredNs,
        long retransmits) {
    private static final int SND_MSS = 16;
    private static final int UNACKED = 24;
    private static final int LAST_ACK_RECV = 56;
    private static final int RTT = 68;
    private static final int SND_CWND = 80;
    private static final int TOTAL_RETRANS = 100;
    private static final int NOTSENT_BYTES = 144;
    private static final int LENGTH = NOTSENT_BYTES + Integer.BYTES;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;
    private static final RawUnixChannelOption OPTION =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, LENGTH);

    /**
     * Asks a socket.
     *
     * @throws io.netty.channel.ChannelException when it is closed
     */
    static TcpState of(EpollSocketChannel socket) {
        return of(socket.config().getOption(OPTION));
    }

    /** Reads what the system wrote. */
    static TcpState of(ByteBuffer struct) {
        ByteBuffer in = struct.slice().order(ByteOrder.nativeOrder());
        long segment = unsigned(in, SND_MSS);
        return new TcpState(
                unsigned(in, SND_CWND) * segment,
                unsigned(in, UNACKED) * segment,
                unsigned(in, NOTSENT_BYTES),
                unsigned(in, RTT),
                TimeUnit.MILLISECONDS.toNanos(unsigned(in, LAST_ACK_RECV)),
                unsigned(in, TOTAL_RETRANS));
    }

    private static long unsigned(ByteBuffer in, int offset) {
        return Integer.toUnsignedLong(in.getInt(offset));
    }
}
