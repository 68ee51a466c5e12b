package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hears nothing but how it ends: "in order", or why not. */
public final class Deaf implements PtcpListener {
    private final Consumer<String> ends;

    /** Hears not even that. */
    public Deaf() {
        this(end -> {});
    }

    /** Takes whom to tell how it ended. */
    public Deaf(Consumer<String> ends) {
        this.ends = ends;
    }

    @Override
    public void received(ByteBuf bytes) {}

    @Override
    public void writabilityChanged(boolean writable) {}

    @Override
    public void closed(@Nullable PtcpException cause) {
        ends.accept(cause == null ? "in order" : String.valueOf(cause.getMessage()));
    }
}
