package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.cli.option.ByteSize;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much space an agent leaves free. */
final class FloorOptions {
    @Option(
            names = "--disk-floor",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description =
                    "Free space that is never used up, in --data and where files are delivered. Default: 64MiB, or"
                            + " 5 percent of the file system where that is less. What is spooled leaves 8MiB in any case.")
    @Nullable
    ByteSize diskFloor;

    AgentConfig applyTo(AgentConfig config) {
        return diskFloor == null ? config : config.withFloor(diskFloor.bytes());
    }
}
