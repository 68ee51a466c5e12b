package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** MODE S: one connection, closed at the end. */
final class StreamEmission extends Emission {
    private final Optional<TextLines> lines;
    private @Nullable DataLink chosen;

    StreamEmission(TransferContext context, Source source, MarkerPeriods periods, boolean isText) {
        super(context, source, periods);
        this.lines = isText ? Optional.of(new TextLines()) : Optional.empty();
    }

    @Override
    boolean wantsLinks() {
        return chosen == null && !hasEnded();
    }

    @Override
    void take(DataLink link) {
        add(link);
    }

    @Override
    public void ready(DataLink link) {
        // A turn later: one that was closed by who opened it is known by then.
        context().loop().execute(() -> context().loop().execute(() -> choose(link)));
    }

    private void choose(DataLink link) {
        if (chosen == null && link.isOpen() && !hasEnded()) {
            chosen = link;
            link.resetUnlessClosed();
            links().stream().filter(other -> other != link).forEach(this::drop);
            fill(link);
        }
    }

    @Override
    public void gone(DataLink link) {
        forget(link);
        if (link == chosen && !isOver()) {
            abort(Reply.of(426, "Data connection broken after " + bytes() + " bytes."));
        }
    }

    @Override
    ByteBuf framed(Block block) {
        return lines.map(text -> text.toNetwork(block.bytes())).orElse(block.bytes());
    }

    @Override
    long payload(int framedBytes) {
        return framedBytes;
    }

    @Override
    void sendEnd() {
        DataLink link = chosen;
        if (link == null) {
            return;
        }
        // An empty write is done when all before it are: only then has the client the whole.
        link.channel().writeAndFlush(link.channel().alloc().buffer(0)).addListener((ChannelFutureListener) sent -> {
            if (!sent.isSuccess()) {
                abort(Reply.of(426, "Data connection broken after " + bytes() + " bytes."));
            } else if (!isOver()) {
                drop(link);
                complete();
            }
        });
    }
}
