package io.longhaul.cli.doctor;

import io.longhaul.cli.state.LedgerDamage;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.RealPath;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The disk under a data directory, and what is in the directory.
 *
 * <p>A directory that is missing is not made: its nearest parent is looked at. The one file written is removed again.
 */
public final class DataChecks {
    private static final long LEAST_FREE = 256L << 20;
    private static final long COMFORTABLE_FREE = 2L << 30;
    private static final double SLOW_MS = 50;
    private static final int ROUNDS = 9;
    private static final int BLOCK = 64 * 1024;
    private static final Duration MOST_SKEW = Duration.ofSeconds(2);

    private final Path data;
    private final Disk disk;
    private final LongSupplier nanoTime;

    public DataChecks(Path data, Disk disk, LongSupplier nanoTime) {
        this.data = RealPath.withoutDots(data);
        this.disk = disk;
        this.nanoTime = nanoTime;
    }

    /** Looks at everything. */
    public List<Finding> all() {
        Path there = data;
        while (!Files.isDirectory(there) && there.getParent() != null) {
            there = there.getParent();
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(space(there));
        findings.addAll(writing(there));
        if (Store.exists(data)) {
            findings.add(store());
            damage().ifPresent(findings::add);
        } else if (Files.exists(data) && !Files.isDirectory(data)) {
            findings.add(
                    Finding.failed("data", data + ": expected a directory, found a file", "choose another --data"));
        }
        return findings;
    }

    private Finding space(Path there) {
        long free = disk.usableSpace(there);
        String found = (free >> 20) + " MiB free at " + there;
        if (free < LEAST_FREE) {
            return Finding.failed("disk-space", found, "free some space: below 256 MiB a broker takes nothing");
        }
        return free < COMFORTABLE_FREE
                ? Finding.warning("disk-space", found, "files travel through the broker's disk: have 2 GiB or more")
                : Finding.ok("disk-space", found);
    }

    private List<Finding> writing(Path there) {
        Path probe = there.resolve(".longhaul-doctor-" + ProcessHandle.current().pid());
        try {
            double milliseconds = forced(probe);
            return List.of(speed(there, milliseconds), skew(probe));
        } catch (StorageException e) {
            return List.of(Finding.failed(
                    "disk-write",
                    String.valueOf(e.getMessage()),
                    (there.equals(data) ? "let this user write to " : "make, for this user, ") + data
                            + ", or choose another --data"));
        } finally {
            if (Files.exists(probe)) { // else this user could not make it, and may not look for it either
                disk.delete(probe);
            }
        }
    }

    private static Finding speed(Path there, double milliseconds) {
        String found = String.format(Locale.ROOT, "%.2f ms for a synced write at %s", milliseconds, there);
        return milliseconds > SLOW_MS
                ? Finding.warning(
                        "disk-sync", found, "use a faster disk for --data: every acknowledgement waits for one")
                : Finding.ok("disk-sync", found);
    }

    /** Returns the median milliseconds of a write that is forced to the disk. */
    private double forced(Path probe) {
        long[] nanos = new long[ROUNDS];
        try (DiskFile file = disk.open(probe)) {
            for (int i = 0; i < ROUNDS; i++) {
                long start = nanoTime.getAsLong();
                file.write(ByteBuffer.allocate(BLOCK), (long) i * BLOCK);
                file.force();
                nanos[i] = nanoTime.getAsLong() - start;
            }
        }
        Arrays.sort(nanos);
        return nanos[ROUNDS / 2] / 1e6;
    }

    /** A file server's clock that differs makes modification times lie. */
    private static Finding skew(Path probe) {
        try {
            Instant written = Files.getLastModifiedTime(probe).toInstant();
            Duration skew = Duration.between(written, Instant.now()).abs();
            return skew.compareTo(MOST_SKEW) > 0
                    ? Finding.warning(
                            "disk-clock",
                            "file times differ by " + skew.toSeconds() + " s from this machine's clock",
                            "run a time service on both machines")
                    : Finding.ok("disk-clock", "file times agree with the clock");
        } catch (IOException e) {
            return Finding.failed("disk-clock", "the time of " + probe + " cannot be read", "check the file system");
        }
    }

    private Finding store() {
        try (Store store = Store.open(data, StoreConfig.defaults(), disk)) {
            List<String> damage = new ArrayList<>(store.findings());
            damage.addAll(store.verify());
            return damage.isEmpty()
                    ? Finding.ok("data", "ledger and spool in " + data + " are sound")
                    : Finding.failed(
                            "data",
                            String.join("; ", damage),
                            Store.damage(data).isEmpty()
                                    ? "start its agent: what is damaged is fetched again"
                                    : "look at the disk; a copy of " + data + " has what is left");
        } catch (StorageException e) {
            return e.code() == StorageException.Code.IN_USE
                    ? Finding.ok("data", e.getMessage() + ": not looked into")
                    : Finding.failed("data", String.valueOf(e.getMessage()), advice(e.code()));
        }
    }

    /** What was lost earlier is told until somebody has dealt with it. */
    private Optional<Finding> damage() {
        try {
            List<String> lost = Store.damage(data);
            return lost.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Finding.failed(
                            "damage",
                            String.join("; ", lost),
                            "receipts and transfers may be missing: " + LedgerDamage.advice(data)));
        } catch (StorageException e) {
            return Optional.of(Finding.failed("damage", String.valueOf(e.getMessage()), advice(e.code())));
        }
    }

    private String advice(StorageException.Code code) {
        return switch (code) {
            case VERSION -> "use the version of Longhaul that wrote it, or choose another --data";
            case IO -> "let this user read and write all of " + data + ", and look at the disk";
            case NO_SPACE -> "free some space";
            case DAMAGED, IN_USE, LOST, CLOSED -> "keep a copy of " + data + " before anything else";
        };
    }
}
