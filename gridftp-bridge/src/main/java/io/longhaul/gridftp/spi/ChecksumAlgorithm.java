package io.longhaul.gridftp.spi;

import java.util.Arrays;
import java.util.Optional;

/** The checksums that clients may ask for, best for a comparison first. */
public enum ChecksumAlgorithm {
    /** RFC 1321. */
    MD5,
    /** RFC 1950; what gfal2 compares. */
    ADLER32,
    /** FIPS 180-4. */
    SHA1,
    /** FIPS 180-4. */
    SHA256,
    /** FIPS 180-4. */
    SHA512,
    /** Castagnoli's CRC, RFC 3720. */
    CRC32C;

    /** Returns the algorithm of a name in any case. */
    public static Optional<ChecksumAlgorithm> of(String name) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.name().equalsIgnoreCase(name))
                .findFirst();
    }
}
