package io.longhaul.ptcp.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** What tests of a merger give it, and get from it. */
abstract class MergerCase {
    static final int WINDOW = 256 * 1024;
    final List<ByteBuf> given = new ArrayList<>();

    static Window window() {
        return new Window(WINDOW, WINDOW, new WindowBudget(0), () -> 0);
    }

    ByteBuf part(byte[] stream, int from, int length) {
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(length).writeBytes(stream, from, length);
        given.add(bytes);
        return bytes;
    }

    static ByteBuf drain(Merger merger, ByteBuf into) {
        for (ByteBuf bytes = merger.poll(); bytes != null; bytes = merger.poll()) {
            into.writeBytes(bytes);
            bytes.release();
        }
        return into;
    }
}
