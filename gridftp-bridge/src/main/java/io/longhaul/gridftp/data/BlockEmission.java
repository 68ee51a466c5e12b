package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.BlockHeader;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * MODE E: blocks over several connections, of which the first also says how many there are.
 *
 * <p>Nothing is sent before it is clear how many came about, since that number cannot change afterwards.
 */
final class BlockEmission extends Emission {
    private final long shift;
    private int opening;
    private final Set<DataLink> ready = new HashSet<>();
    private boolean began;
    private int unended;

    /**
     * Prepares.
     *
     * @param shift taken off positions: partial transfers count from the start of their part
     * @param opening connections that will come about or come to nothing
     */
    BlockEmission(TransferContext context, Source source, MarkerPeriods periods, long shift, int opening) {
        super(context, source, periods);
        this.shift = shift;
        this.opening = opening;
    }

    @Override
    boolean wantsLinks() {
        return !began && !hasEnded();
    }

    @Override
    void take(DataLink link) {
        add(link);
    }

    /** One of those that were to be opened came to nothing. */
    void failed(String why) {
        opening--;
        if (opening == 0) {
            abort(Reply.of(425, "Cannot open data connection: " + why));
        } else {
            beginWhenReady();
        }
    }

    @Override
    public void ready(DataLink link) {
        ready.add(link);
        beginWhenReady();
    }

    private void beginWhenReady() {
        if (!began && ready.size() == opening && !hasEnded()) {
            began = true;
            links().forEach(this::fill);
        }
    }

    @Override
    public void gone(DataLink link) {
        forget(link);
        ready.remove(link);
        if (!began) {
            failed("it was closed at once");
        } else if (!isOver()) {
            abort(Reply.of(426, "Data connection broken after " + bytes() + " bytes."));
        }
    }

    @Override
    ByteBuf framed(Block block) {
        ByteBuf bytes = block.bytes();
        ByteBuf header = bytes.alloc().buffer(BlockHeader.BYTES);
        BlockHeader.data(block.position() - shift, bytes.readableBytes()).write(header);
        return bytes.alloc().compositeBuffer(2).addComponents(true, header, bytes);
    }

    @Override
    long payload(int framedBytes) {
        return (long) framedBytes - BlockHeader.BYTES;
    }

    @Override
    void sendEnd() {
        List<DataLink> links = links();
        unended = links.size();
        for (int i = 0; i < links.size(); i++) {
            ByteBuf header = links.get(i).channel().alloc().buffer(BlockHeader.BYTES);
            (i == 0 ? BlockHeader.endOfFile(links.size()) : BlockHeader.endOfData()).write(header);
            links.get(i).channel().writeAndFlush(header).addListener((ChannelFutureListener) sent -> {
                unended--;
                if (!sent.isSuccess()) {
                    abort(Reply.of(426, "Data connection broken after " + bytes() + " bytes."));
                } else if (unended == 0 && !isOver()) {
                    complete();
                }
            });
        }
    }
}
