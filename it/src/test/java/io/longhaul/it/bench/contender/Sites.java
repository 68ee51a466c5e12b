package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.Wan;
import io.longhaul.it.testbed.WanSites;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An emulated network of a sender with 100 Mbit/s or another rate, five relays with 1 Gbit/s, and up to sixteen receivers with
 * the sender's rate towards them and 1 Gbit/s back, 20 ms of round trip between any two but the sender, who has 10 ms to each.
 */
public final class Sites implements Ground {
    /** Of the links of sender and receivers, unless told. */
    public static final String RATE = "100mbit";

    /** With so many sites the emulator would take a third of a processor to look for packets more often. */
    private static final String TURN_MICROS = "1000";

    static final String SENDERS = "a";
    static final String FIRST_RELAY = "b";
    static final List<String> RELAYS = List.of("c", "d", "e", "f");
    private static final char FIRST_RECEIVER = 'g';
    private static final int MOST_RECEIVERS = 16;

    private final Testbed testbed;
    private final Wan wan;

    private Sites(Testbed testbed, Wan wan) {
        this.testbed = testbed;
        this.wan = wan;
    }

    static Sites up(Stage stage) {
        return up(stage, RATE);
    }

    /** Brings it up until the stage closes. */
    static Sites up(Stage stage, String rate) {
        List<String> options = new ArrayList<>(
                List.of("--sites", Integer.toString(FIRST_RECEIVER - 'a' + MOST_RECEIVERS), "--hub-rate", rate));
        options.addAll(List.of("--turn", TURN_MICROS));
        for (int i = 0; i < MOST_RECEIVERS; i++) {
            options.addAll(List.of("--site", receiver(i) + ":downrate=" + rate));
        }
        Wan wan = Wan.up(
                Path.of("wan", "wan").toAbsolutePath(),
                "bench",
                new Wan.Link("10ms", "0", "1000mbit"),
                1,
                options.toArray(String[]::new));
        stage.testbed().atClose(wan::close);
        stage.meter().countSent(() -> wan.carriedBytes(SENDERS));
        return new Sites(stage.testbed(), wan);
    }

    static String receiver(int number) {
        return Character.toString(FIRST_RECEIVER + number);
    }

    private static String site(int at) {
        return at == SENDER ? SENDERS : receiver(at);
    }

    /** Returns brokers and agents at these sites. */
    WanSites nodes() {
        return new WanSites(testbed, wan);
    }

    @Override
    public String address(int at) {
        return Wan.address(site(at));
    }

    @Override
    public List<String> command(int at, List<String> inner) {
        List<String> outer = new ArrayList<>(List.of("env"));
        wan.environment().forEach((name, value) -> outer.add(name + '=' + value));
        outer.addAll(wan.resolvingAt(testbed, site(at), inner));
        return outer;
    }
}
