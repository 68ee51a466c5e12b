package io.longhaul.storage.ledger;

import io.longhaul.storage.DiskFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads a block file and its journal back: what is valid, where it lies, what is damaged and what of that the journal
 * can mend. Writes nothing.
 */
final class Recovery {
    private static final int CHUNK_BLOCKS = 256;

    private final Path path;
    private final DiskFile file;
    private final Journal journal;
    private final List<String> findings = new ArrayList<>();
    private final Map<Long, Journal.Entry> journaled = new HashMap<>();
    private final Map<Long, Long> journaledAt = new HashMap<>();
    private final BitSet repairedPages = new BitSet();
    private final TreeMap<Long, String> problems = new TreeMap<>();
    private final Map<Long, byte[]> repairedBlocks = new HashMap<>();
    private Layout layout = new Layout(0);
    private long length;
    private long checkpointedBlocks;
    private boolean needsCheckpoint;
    private boolean lost;

    private Recovery(Path path, DiskFile file, Journal journal) {
        this.path = path;
        this.file = file;
        this.journal = journal;
    }

    static Recovery of(Path path, DiskFile file, Journal journal) {
        Recovery recovery = new Recovery(path, file, journal);
        recovery.readJournal();
        recovery.readSums();
        recovery.compareBlocks();
        recovery.repair();
        return recovery;
    }

    Layout layout() {
        return layout;
    }

    /** The length of the H2 file. */
    long length() {
        return length;
    }

    /** Blocks of the H2 file whose content is in the journal, and where. */
    Map<Long, Long> journaledAt() {
        return journaledAt;
    }

    /** Pages of checksums that were damaged and are taken from the blocks. */
    BitSet repairedPages() {
        return repairedPages;
    }

    /** Damaged blocks of which the journal still had the content. */
    Map<Long, byte[]> repairedBlocks() {
        return repairedBlocks;
    }

    /** Whether blocks are damaged that could not be repaired. */
    boolean damaged() {
        return repairedBlocks.size() < problems.size();
    }

    /** Whether changes are gone that had been made durable. */
    boolean lost() {
        return lost;
    }

    boolean needsCheckpoint() {
        return needsCheckpoint;
    }

    List<String> findings() {
        return List.copyOf(findings);
    }

    private void readJournal() {
        byte[] block = new byte[Block.BYTES];
        file.read(ByteBuffer.wrap(block), 0);
        Layout.Header header = Layout.header(block);
        List<Journal.Record> chain = journal.records();
        long end = chain.isEmpty() ? 0 : chain.get(chain.size() - 1).end();
        if (header == null) {
            header = repairedHeader(chain);
            needsCheckpoint = true;
        } else if (header.sequence() > 0 && !journal.hasStart()) {
            findings.add(BlockFile.journalOf(path) + (journal.fileBytes() == 0 ? ": is missing" : ": is damaged at 0")
                    + "; what it held since the last checkpoint is lost");
            lost = true;
        }
        layout = new Layout(header.id());
        length = header.length();
        checkpointedBlocks = Block.count(length);
        long sequence = header.sequence();
        for (Journal.Record record : chain) {
            if (record.id() == header.id() && record.sequence() == sequence + 1) {
                record.entries().forEach(entry -> journaled.put(entry.physical(), entry));
                sequence = record.sequence();
                length = record.fileLength();
                needsCheckpoint = true;
            }
        }
        long forced = journal.forcedAfter(end, header.id());
        if (forced > sequence) {
            findings.add(BlockFile.journalOf(path) + ": record " + (sequence + 1) + " at " + end
                    + " is damaged; changes up to record " + forced + " or later are lost");
            lost = true;
            // Those that lie behind the damage must not be taken for successors of what is written from now on, nor for
            // a loss again.
            sequence = Math.max(forced, journal.newestAfter(end, header.id()));
            needsCheckpoint = true;
        }
        if (needsCheckpoint) {
            journal.continueAfter(sequence, end, length);
        } else {
            journal.startAfter(sequence);
        }
    }

    /** The journal has a copy: the only one when a checkpoint was cut off, or when the header is damaged. */
    private Layout.Header repairedHeader(List<Journal.Record> chain) {
        Layout.Header copy = journal.newestHeader();
        boolean cutOff = copy != null
                && !chain.isEmpty()
                && copy.sequence() == chain.get(chain.size() - 1).sequence();
        if (!cutOff) {
            findings.add(path + ": the header at 0 is damaged"
                    + (copy == null ? "" : "; repaired from the journal as of record " + copy.sequence()));
        }
        if (copy == null) {
            boolean none = chain.isEmpty();
            return new Layout.Header(
                    none ? 0 : chain.get(0).id(),
                    none ? 0 : chain.get(0).sequence() - 1,
                    Layout.blocksIn(file.length()) * Block.BYTES);
        }
        if (cutOff) {
            // the records that the checkpoint was copying are all here: start before them
            return new Layout.Header(copy.id(), chain.get(0).sequence() - 1, copy.length());
        }
        return copy;
    }

    private void readSums() {
        long blocks = Block.count(length);
        for (int page = 0; page < Layout.pageCount(blocks); page++) {
            boolean exists =
                    page < Layout.pageCount(checkpointedBlocks) || journaled.containsKey(Layout.physicalPage(page));
            if (exists && !layout.takePage(page, read(Layout.physicalPage(page)))) {
                repairedPages.set(page);
            }
        }
        journaled.forEach((physical, entry) -> {
            long number = Layout.number(physical);
            if (number >= 0 && number < blocks) {
                layout.set(number, entry.sum());
                journaledAt.put(number, entry.journalOffset());
            }
        });
    }

    private byte[] read(long physical) {
        byte[] content = new byte[Block.BYTES];
        Journal.Entry entry = journaled.get(physical);
        if (entry != null) {
            journal.read(entry.journalOffset(), ByteBuffer.wrap(content));
        } else {
            file.read(ByteBuffer.wrap(content), physical * Block.BYTES);
        }
        return content;
    }

    private void compareBlocks() {
        long blocks = Block.count(length);
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BLOCKS * Block.BYTES);
        byte[] content = new byte[Block.BYTES];
        long last = Layout.physicalLength(blocks) / Block.BYTES;
        for (long physical = 1; physical < last; physical++) {
            int within = (int) ((physical - 1) % CHUNK_BLOCKS);
            if (within == 0) {
                Arrays.fill(chunk.array(), (byte) 0);
                file.read(chunk.clear(), physical * Block.BYTES);
            }
            long number = Layout.number(physical);
            if (number >= 0 && !journaledAt.containsKey(number)) {
                System.arraycopy(chunk.array(), within * Block.BYTES, content, 0, Block.BYTES);
                compare(number, content);
            }
        }
        for (int page = repairedPages.nextSetBit(0); page >= 0; page = repairedPages.nextSetBit(page + 1)) {
            findings.add(path + ": checksums at " + Layout.physicalPage(page) * Block.BYTES
                    + " are damaged; the blocks that they belong to cannot be checked");
            needsCheckpoint = true;
        }
    }

    private void compare(long number, byte[] content) {
        if (repairedPages.get(Layout.page(number))) {
            layout.set(number, content);
            return;
        }
        String problem = layout.compare(number, content);
        if (problem != null) {
            problems.put(number, problem);
        }
    }

    private void repair() {
        Map<Long, Integer> wanted = new HashMap<>();
        problems.keySet().forEach(number -> wanted.put(Layout.physical(number), layout.sum(number)));
        if (wanted.isEmpty()) {
            return;
        }
        Map<Long, byte[]> found = journal.find(wanted);
        problems.forEach((number, problem) -> {
            byte[] content = found.get(Layout.physical(number));
            if (content != null) {
                repairedBlocks.put(number, content);
                needsCheckpoint = true;
            }
            findings.add(path + ": " + problem + (content == null ? "" : "; repaired from the journal"));
        });
    }
}
