package io.longhaul.agent.publish;

/** A publication was told to stop: for good, or until the agent is opened again. */
final class Halted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean forGood;

    private Halted(boolean forGood, String message) {
        super(message);
        this.forGood = forGood;
    }

    static Halted cancelled() {
        return new Halted(true, "cancelled by its publisher");
    }

    static Halted closing() {
        return new Halted(false, "stopped; the same call with the same data directory goes on");
    }

    boolean isForGood() {
        return forGood;
    }
}
