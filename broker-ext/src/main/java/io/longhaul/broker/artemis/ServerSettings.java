package io.longhaul.broker.artemis;

import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.limits.Quotas;
import io.longhaul.ptcp.artemis.PtcpParameters;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the server is told, with every derived number in it.
 *
 * @param name the server's name in logs
 * @param data absolute directory of everything that it keeps
 * @param acceptors where it listens
 * @param asynchronousJournal whether the journal uses libaio
 * @param memory sizes that follow from the heap
 * @param limits what it may use up
 * @param users file of users and rights; none for everybody may everything
 * @param tls certificate and key; none for connections in the clear
 * @param links the links that it opens by itself
 * @param fanOut most links that should carry files at the same time; 0 for any number
 * @param forwardOnly whether messages only pass from link to link, in memory
 * @param pair the pair that it is one of; none for a broker by itself
 */
public record ServerSettings(
        String name,
        Path data,
        List<Listening> acceptors,
        boolean asynchronousJournal,
        Memory memory,
        Limits limits,
        Optional<Path> users,
        Optional<TlsServer> tls,
        List<LinkTo> links,
        int fanOut,
        boolean forwardOnly,
        Optional<PairTerms> pair) {
    private static final int FORWARDING_FILE_BYTES = 1024 * 1024;

    /** Returns the bytes of a journal file: many pieces each, so that files are few; little where none come in. */
    int journalFileBytes() {
        return forwardOnly ? FORWARDING_FILE_BYTES : Memory.JOURNAL_FILE_BYTES;
    }

    /** Returns the bytes gathered for one write, more than the largest piece with its headers. */
    int journalBufferBytes() {
        return forwardOnly ? FORWARDING_FILE_BYTES / 2 : Memory.JOURNAL_BUFFER_BYTES;
    }

    /** Returns how many journal files are made before the first message. */
    int journalFiles() {
        return forwardOnly ? 2 : memory.journalFiles();
    }

    /**
     * A place to listen on.
     *
     * @param core whether one TCP connection carries the core protocol there, as any Artemis client speaks it; else
     *     parallel TCP does
     */
    public record Listening(HostPort address, boolean core) {}

    /**
     * A link to another broker.
     *
     * @param places where that one listens, and how it is reached; several for a pair, of which one lives
     * @param user account there; empty for none
     */
    public record LinkTo(List<PtcpParameters> places, String user, String password) {
        /** Returns how people call it: its places. */
        String label() {
            return places.stream().map(PtcpParameters::place).collect(Collectors.joining(","));
        }

        @Override
        public String toString() {
            return "LinkTo[places=" + label() + ", user=" + user + "]";
        }
    }

    /**
     * What the server may use up.
     *
     * @param backlogBytes most bytes of one subscription before its pieces are dropped in favour of a lease
     * @param floorBytes free disk space below which nothing is taken
     * @param eachUser what each user may use who has no limit of its own
     * @param topics what topics may use
     */
    public record Limits(long backlogBytes, long floorBytes, Limit eachUser, List<Quotas.Topics> topics) {}

    /**
     * Sizes that follow from the heap.
     *
     * <p>A subscription that stands still holds what is read ahead for it and the page that it reads, whole; a topic that pages
     * holds the page that it writes, too. So pages are small. They are not smaller, as Artemis lets no more bytes than
     * a page wait for their write to an address, nor is what is read ahead less than twice the pieces without a manifest that a
     * subscriber may leave unacknowledged.
     *
     * @param addressBytes message bytes of one address kept in memory before it pages
     * @param globalBytes the same for all addresses together
     * @param pageBytes size of a page file
     * @param readAheadBytes page bytes read for one queue and not yet acknowledged by its consumer
     * @param journalFiles journal files made and filled before the first message
     */
    public record Memory(long addressBytes, long globalBytes, int pageBytes, int readAheadBytes, int journalFiles) {
        private static final long MIB = 1024 * 1024;

        /** Bytes of a journal file: many pieces each, so that files are few. */
        static final int JOURNAL_FILE_BYTES = (int) (32 * MIB);

        /** Bytes gathered for one write: more than the largest piece with its headers. */
        static final int JOURNAL_BUFFER_BYTES = (int) (8 * MIB);

        /** Derives the sizes from the most bytes that the heap may take. */
        public static Memory of(long heapBytes) {
            long address = clamp(heapBytes / 8, 32 * MIB, 256 * MIB);
            int page = (int) clamp(heapBytes / 256, 8 * MIB, 16 * MIB);
            int files = (int) (address / JOURNAL_FILE_BYTES) + 6;
            int readAhead = (int) clamp(heapBytes / 64, 16 * MIB, 64 * MIB);
            return new Memory(address, Math.max(heapBytes / 4, address), page, readAhead, files);
        }

        private static long clamp(long value, long least, long most) {
            return Math.max(least, Math.min(most, value));
        }
    }
}
