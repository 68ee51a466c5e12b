package io.longhaul.cli;

import io.longhaul.cli.option.ByteSize;
import io.longhaul.gridftp.content.ContentStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much room a bridge takes for files on their way. */
final class ContentOptions {
    @Option(
            names = "--disk-floor",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description =
                    "Free space of the disk of --data that files on their way to and from the network leave alone."
                            + " Default: 1GiB, or 5 percent of the file system where that is less.")
    private @Nullable ByteSize diskFloor;

    /**
     * Returns what is kept.
     *
     * @param data which may not be there yet
     */
    ContentStore.Limits limits(Path data) {
        return diskFloor == null
                ? ContentStore.Limits.on(data)
                : ContentStore.Limits.DEFAULT.withFloor(diskFloor.bytes());
    }
}
