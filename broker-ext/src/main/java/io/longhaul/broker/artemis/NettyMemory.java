package io.longhaul.broker.artemis;

/**
 * Bounds the buffers of the network beside the heap, unless whoever started the process has done so.
 *
 * <p>Netty keeps an arena of buffers for every two cores' worth of event loops and lets them grow to the size of the
 * heap. The broker's frames are copied out of them at once, so that few and small arenas do. Works only before Netty's
 * first use in the process; later it changes nothing.
 */
public final class NettyMemory {
    private static final int ARENAS = 4;

    private NettyMemory() {}

    /** Sets the bounds; the first call in a process counts. */
    public static void bound() {
        setUnlessGiven("io.netty.allocator.numDirectArenas", ARENAS);
        setUnlessGiven("io.netty.allocator.numHeapArenas", ARENAS);
        setUnlessGiven("io.netty.maxDirectMemory", Runtime.getRuntime().maxMemory() / 2);
    }

    private static void setUnlessGiven(String property, long value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Long.toString(value));
        }
    }
}
