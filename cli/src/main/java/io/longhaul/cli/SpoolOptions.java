package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.cli.option.ByteSize;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much an agent keeps in its spool. */
final class SpoolOptions {
    @Option(
            names = "--spool-quota",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description =
                    "Most bytes that --data keeps of what is spooled; what does not fit waits 20 s for room. Default: no limit"
                            + " but --disk-floor.")
    @Nullable
    ByteSize quota;

    AgentConfig applyTo(AgentConfig config) {
        return quota == null ? config : config.withSpoolQuota(quota.bytes());
    }
}
