package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.util.List;

/** Where sender and receivers of one round are: all on this machine's loopback interface, or at sites of a network. */
interface Ground {
    int SENDER = -1;

    /** Returns the address of a receiver, counted from 0, or of the {@link #SENDER}. */
    String address(int at);

    /** Returns the command that runs another one there. */
    List<String> command(int at, List<String> inner);

    /** Starts a program there that is counted. */
    default Child start(Stage stage, int at, String label, List<String> command) {
        return stage.start(label, command(at, command));
    }

    /** Waits until something listens there on a port. */
    default void awaitPort(Stage stage, int at, int port) {
        String connect = "until true </dev/tcp/" + address(at) + "/" + port + "; do sleep 0.02; done 2>/dev/null";
        stage.finish(start(stage, at, "connect", List.of("timeout", "60", "bash", "-c", connect)));
    }

    /** Returns the loopback interface. */
    static Ground loopback() {
        return new Ground() {
            @Override
            public String address(int at) {
                return "127.0.0.1";
            }

            @Override
            public List<String> command(int at, List<String> inner) {
                return inner;
            }
        };
    }
}
