package io.longhaul.cli;

import io.longhaul.broker.BrokerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a broker is joined to others. */
final class LinkOptions {
    @Option(
            names = "--link",
            paramLabel = "HOST:PORT",
            description = "Another broker to join this one to; may be given several times. Like a broker URL it"
                    + " may say more: 'HOST:PORT?tls=true&ca=FILE&streams=4&proxy=http://HOST:PORT'. Files go both ways"
                    + " over a link, whichever side opened it. Default: none.")
    private List<String> to = new ArrayList<>();

    @Option(
            names = "--link-user",
            paramLabel = "USER",
            description = "Account of this broker at the others, one with the right to link. Default: none.")
    private String user = "";

    @Option(
            names = "--link-password-file",
            paramLabel = "FILE",
            description = "File whose first line is its password. Default: the environment's LONGHAUL_LINK_PASSWORD.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--fan-out",
            paramLabel = "N",
            description = "Most links that should carry files at the same time, while the others suffice to reach"
                    + " every broker; 0 for any number. Default: 0.")
    private int fanOut;

    @Option(
            names = "--forward-only",
            description =
                    "Keep nothing but what is on its way from one link to another, and that in memory: for a site with little"
                            + " disk between others. Nobody can subscribe or publish here. Default: false.")
    private boolean forwardOnly;

    BrokerConfig.Links links(Environment environment) {
        return new BrokerConfig.Links(
                to, user, ConnectionOptions.password("link-", user, passwordFile, environment), fanOut, forwardOnly);
    }
}
