package io.longhaul.it.bench.micro;

import io.longhaul.gridftp.protocol.BlockHeader;
import io.longhaul.gridftp.protocol.BlockReader;
import io.longhaul.ptcp.frame.FrameType;
import io.longhaul.ptcp.frame.Header;
import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.TransferId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What is written and read around the bytes: headers of parallel TCP, extended blocks, manifests, pieces. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class CodecBenchmark {
    private static final int MIB = 1024 * 1024;
    private static final int PACKET = 64 * 1024;
    private static final int BLOCK = 256 * 1024;

    private final ByteBuf header = Unpooled.directBuffer(Header.BYTES);
    private final ByteBuf blocks = blocks();
    private final TransferId transfer = new TransferId(1, 2);
    private final Manifest manifest = new Manifest(
            transfer,
            "climate.daily",
            "2026/november/t2m.nc",
            false,
            MIB,
            1L << 30,
            0644,
            1_700_000_000_000_000_000L,
            "site-a",
            1L);
    private final Envelope encodedManifest = FrameCodec.encode(manifest);
    private final Piece piece = new Piece(
            new PieceHeader(transfer, 7, PieceHeader.Kind.RANGE, 7L * MIB, MIB, 42, Optional.empty()),
            ByteBuffer.allocate(MIB));
    private final Envelope encodedPiece = FrameCodec.encode(piece);
    private long position;

    private static ByteBuf blocks() {
        ByteBuf all = Unpooled.directBuffer(MIB + 5 * BlockHeader.BYTES);
        for (int offset = 0; offset < MIB; offset += BLOCK) {
            BlockHeader.data(offset, BLOCK).write(all);
            all.writeZero(BLOCK);
        }
        BlockHeader.endOfData().write(all);
        return all;
    }

    /** Counts payload, and keeps none. */
    private static final class Count implements BlockReader.Target {
        private long bytes;

        @Override
        public void header(BlockHeader found) {
            bytes += found.count();
        }

        @Override
        public void payload(long at, ByteBuf part) {
            part.release();
        }

        @Override
        public void endOfData(BlockHeader found) {
            bytes++;
        }
    }

    @Benchmark
    public Header ptcpHeaderWrittenAndRead() {
        header.clear();
        position += PACKET;
        new Header(FrameType.DATA, PACKET, position).write(header);
        return Header.read(header, PACKET);
    }

    @Benchmark
    public long modeEOneMebibyteInFourBlocksRead() {
        Count count = new Count();
        new BlockReader(MIB, 16).read(blocks.duplicate(), count);
        return count.bytes;
    }

    @Benchmark
    public Envelope manifestEncoded() {
        return FrameCodec.encode(manifest);
    }

    @Benchmark
    public Frame manifestDecoded() {
        return FrameCodec.decode(new Envelope(
                encodedManifest.properties(), encodedManifest.body().duplicate()));
    }

    @Benchmark
    public Envelope pieceEncoded() {
        return FrameCodec.encode(piece);
    }

    @Benchmark
    public Frame pieceDecoded() {
        return FrameCodec.decode(
                new Envelope(encodedPiece.properties(), encodedPiece.body().duplicate()));
    }
}
