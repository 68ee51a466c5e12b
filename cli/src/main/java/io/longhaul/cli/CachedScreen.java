package io.longhaul.cli;

import io.longhaul.cli.terminal.Screen;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks for the terminal's size now and then only, because asking starts a process. Thread-safe. */
final class CachedScreen implements Supplier<Screen> {
    private static final long LIFE_NS = 2_000_000_000L;

    private final Supplier<Screen> source;
    private final LongSupplier nanoTime;
    private @Nullable Screen last; // guarded by this
    private long askedNs; // guarded by this

    CachedScreen(Supplier<Screen> source, LongSupplier nanoTime) {
        this.source = source;
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized Screen get() {
        long nowNs = nanoTime.getAsLong();
        // What is no terminal does not become one.
        if (last == null || last.isTerminal() && nowNs - askedNs > LIFE_NS) {
            last = source.get();
            askedNs = nowNs;
        }
        return last;
    }
}
