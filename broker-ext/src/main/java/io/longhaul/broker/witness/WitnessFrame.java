package io.longhaul.broker.witness;

/** What is said between a broker of a pair and its witness; {@link WitnessCodec} has the bytes. */
public sealed interface WitnessFrame {

    /** The asker's first frame. */
    record Hello(int version, String user, String password) implements WitnessFrame {
        @Override
        public String toString() {
            return "Hello[version=" + version + ", user=" + user + "]";
        }
    }

    /** The asker is known. */
    record Welcome(int version) implements WitnessFrame {}

    /** The asker is not; the session ends. */
    record Refused(Reason reason, String text) implements WitnessFrame {}

    /**
     * A question, or an order.
     *
     * @param number the answer has it too
     * @param pair the name that both brokers of the pair have
     * @param node the identity of what they keep
     * @param expected of a {@link Operation#SWAP}: what the term must be now
     * @param value of a {@link Operation#SET} and a {@link Operation#SWAP}: what the term is to be
     */
    record Ask(long number, Operation operation, String pair, String node, long expected, long value)
            implements WitnessFrame {}

    /** An answer, with the pair's term as it is now. */
    record Answer(long number, Outcome outcome, long value) implements WitnessFrame {}

    /** What is one byte in a frame. */
    interface Coded {
        int code();
    }

    /** Why somebody is refused. */
    enum Reason implements Coded {
        /** Another version of the protocol. */
        VERSION(0),
        /** Unknown user, wrong password, or no right to link. */
        LOGIN(1),
        /** The password was not looked at, as too many others from the same address were wrong; it may be right. */
        LATER(2);

        private final int code;

        Reason(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** What is asked. */
    enum Operation implements Coded {
        /** What the term is. */
        GET(0),
        /** The claim, which is the asker's until its session ends, it is silent, or gives it back; also a sign of life. */
        CLAIM(1),
        /** To give the claim back. */
        RELEASE(2),
        /** To write the term; only for who has the claim. */
        SET(3),
        /** To write the term if it is what the asker thinks; only for who has the claim. */
        SWAP(4);

        private final int code;

        Operation(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** What became of it. */
    enum Outcome implements Coded {
        DONE(0),
        /** Another one has the claim. */
        CLAIMED(1),
        /** The term is another one. */
        CHANGED(2),
        /** A pair of this name keeps something else. */
        OTHER_NODE(3),
        /** The witness cannot write to its disk, or serves as many other pairs as it may. */
        FAILED(4),
        /** The pair is another account's. */
        OTHER_ACCOUNT(5);

        private final int code;

        Outcome(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
