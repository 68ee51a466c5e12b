package io.longhaul.it.bench.micro;

import io.longhaul.wire.Digests;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.Adler32;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Checksums and digests of 1 MiB. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class ChecksumBenchmark {
    private static final int MIB = 1024 * 1024;

    private final byte[] bytes = new byte[MIB];
    private final MessageDigest sha256 = Digests.sha256();

    /** Fills the bytes. */
    public ChecksumBenchmark() {
        new SplittableRandom(1).nextBytes(bytes);
    }

    @Benchmark
    public long crc32cOfOneMebibyte() {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    @Benchmark
    public long adler32OfOneMebibyte() {
        Adler32 adler = new Adler32();
        adler.update(bytes);
        return adler.getValue();
    }

    @Benchmark
    public byte[] sha256OfOneMebibyte() {
        return sha256.digest(bytes);
    }
}
