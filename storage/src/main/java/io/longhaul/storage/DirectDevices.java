package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where writes past the page cache are known to do well: on file systems that write in place without copies of their own, on
 * devices that do not want more at once than the least such write. A RAID of disks with parity asks for whole stripes, which
 * only the cache gathers.
 */
final class DirectDevices {
    private static final Set<String> FILE_SYSTEMS = Set.of("ext4", "xfs");
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final Map<Long, Boolean> KNOWN = new ConcurrentHashMap<>();

    private DirectDevices() {}

    static boolean allow(Path file) {
        try {
            long device = (Long) Files.getAttribute(file, "unix:dev", LinkOption.NOFOLLOW_LINKS);
            Boolean known = KNOWN.get(device);
            if (known == null) {
                known = allow(file, device);
                KNOWN.put(device, known);
            }
            return known;
        } catch (IOException | RuntimeException e) {
            return false; // gone, or not Linux
        }
    }

    private static boolean allow(Path file, long device) {
        try {
            return FILE_SYSTEMS.contains(Files.getFileStore(file).type())
                    && optimalBytes(DEVICES.resolve(name(device))) <= DirectWrites.LEAST_BYTES;
        } catch (IOException | RuntimeException e) {
            return false; // a container that may not see its devices
        }
    }

    /** Returns MAJOR:MINOR of a device number as stat(2) tells it. */
    static String name(long device) {
        long major = device >>> 8 & 0xfff | device >>> 32 & 0xfffff000L;
        long minor = device & 0xff | device >>> 12 & 0xffffff00L;
        return major + ":" + minor;
    }

    /** Returns what the device wants to be written at once, 0 if it does not care. */
    static long optimalBytes(Path device) throws IOException {
        Path queue = device.resolve("queue");
        // a partition has that of its disk; the name is a link into the tree of devices
        Path known = Files.isDirectory(queue) ? queue : device.toRealPath().resolveSibling("queue");
        return Long.parseLong(Files.readString(known.resolve("optimal_io_size")).strip());
    }
}
