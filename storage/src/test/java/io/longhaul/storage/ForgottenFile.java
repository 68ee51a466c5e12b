package io.longhaul.storage;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** One file of a {@link ForgetfulDisk}: what it holds now, and how to undo what was not forced. */
final class ForgottenFile extends ForgottenNode {
    /** What a sector-wise disk may tear a write into. */
    private static final int SECTOR = 512;

    /** A write or change of length; {@code before} are the bytes from {@code position} on that it replaced. */
    private record Change(long position, long lengthBefore, byte[] before, byte[] after, long lengthAfter) {}

    /** A second name of the file, outside of the disk's root, that keeps it alive. */
    final Path inode;

    private final List<Change> unforced = new ArrayList<>();

    ForgottenFile(Path inode) {
        this.inode = inode;
    }

    void write(DiskFile real, ByteBuffer bytes, long position) {
        long length = real.length();
        byte[] after = new byte[bytes.remaining()];
        bytes.duplicate().get(after);
        byte[] before = new byte[(int) Math.max(0, Math.min(after.length, length - position))];
        real.read(ByteBuffer.wrap(before), position);
        unforced.add(new Change(position, length, before, after, Math.max(length, position + after.length)));
        real.write(bytes, position);
    }

    void setLength(DiskFile real, long newLength) {
        long length = real.length();
        byte[] before = new byte[(int) Math.max(0, length - newLength)];
        real.read(ByteBuffer.wrap(before), newLength);
        unforced.add(new Change(Math.min(length, newLength), length, before, new byte[0], newLength));
        real.setLength(newLength);
    }

    void forced() {
        unforced.clear();
        keepAttributes();
    }

    /** Puts the bytes back; with a source of chance, any part of what was not forced may have reached the disk. */
    void forget(Disk real, RandomGenerator chance) {
        try (DiskFile file = real.open(inode)) {
            for (int i = unforced.size() - 1; i >= 0; i--) {
                Change change = unforced.get(i);
                file.setLength(change.lengthBefore);
                file.write(ByteBuffer.wrap(change.before), change.position);
            }
            if (chance != null) {
                for (Change change : unforced) {
                    survive(file, change, chance);
                }
            }
        }
        unforced.clear();
    }

    private static void survive(DiskFile file, Change change, RandomGenerator chance) {
        int fate = chance.nextInt(3);
        if (fate == 0) {
            return;
        }
        if (change.after.length == 0) {
            file.setLength(change.lengthAfter);
            return;
        }
        for (int at = 0; at < change.after.length; at += SECTOR) {
            if (fate == 1 || chance.nextBoolean()) {
                int count = Math.min(SECTOR, change.after.length - at);
                file.write(ByteBuffer.wrap(change.after, at, count), change.position + at);
            }
        }
        if (file.length() < change.lengthAfter) {
            file.setLength(change.lengthAfter);
        }
    }
}
