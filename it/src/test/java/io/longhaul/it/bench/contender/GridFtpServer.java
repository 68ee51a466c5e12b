package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import java.nio.file.Path;
import java.util.List;

/** A server that clients of GridFTP find a directory at. */
public interface GridFtpServer {

    default List<String> programs() {
        return List.of();
    }

    /** Starts it over a directory; returns the beginning of its URLs, to which a file's name is added. */
    String serve(Stage stage, Path directory);

    /** Starts a client where this server is to be reached from, and counts it. */
    default Child startClient(Stage stage, String label, List<String> command) {
        return stage.start(label, command);
    }

    /** Returns a server of Globus. */
    static GridFtpServer globus() {
        return new GridFtpServer() {
            @Override
            public List<String> programs() {
                return List.of("globus-gridftp-server");
            }

            @Override
            public String serve(Stage stage, Path directory) {
                return "ftp://127.0.0.1:" + Globus.server(stage) + directory + "/";
            }
        };
    }

    /** Returns Longhaul's front over a directory beside it. */
    static GridFtpServer front() {
        return (stage, directory) -> {
            Child front = stage.start(stage.counted(Network.of(stage.testbed())
                    .node("front", "bridge", "front", "--listen", "127.0.0.1:0", "--mount", "/=file://" + directory)
                    .withMachine("-Xmx512m")));
            return "ftp://127.0.0.1:" + front.awaitReady().awaitEvent("ready").number("port") + "/";
        };
    }

    /** Returns Longhaul's front and back with a broker between them, over a directory beside the back. */
    static GridFtpServer frontAndBack() {
        return (stage, directory) -> {
            Network network = Network.of(stage.testbed());
            stage.start(stage.counted(network.broker().withMachine("-Xmx2g"))).awaitReady();
            stage.start(stage.counted(network.node("back", "bridge", "back", "--endpoint", "archive")
                            .with("--server", "file://" + directory, "--broker", network.address())
                            .with(
                                    "--data",
                                    stage.testbed().directory("back/data").toString())
                            .withMachine("-Xmx512m")))
                    .awaitReady();
            Child front = stage.start(stage.counted(network.node(
                            "front", "bridge", "front", "--listen", "127.0.0.1:0", "--mount", "/=archive")
                    .with("--broker", network.address())
                    .with("--data", stage.testbed().directory("front/data").toString())
                    .withMachine("-Xmx512m")));
            return "ftp://127.0.0.1:" + front.awaitReady().awaitEvent("ready").number("port") + "/";
        };
    }
}
