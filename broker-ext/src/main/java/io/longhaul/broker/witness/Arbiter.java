package io.longhaul.broker.witness;

/**
 * Decides between the two brokers of a pair. Methods block; may be called from any thread.
 *
 * <p>A <em>term</em> counts who lived alone: both brokers that are in sync are in the same term, one that goes on without
 * the other moves it on. A negative term is one that somebody has begun to move to.
 */
public interface Arbiter extends AutoCloseable {
    /** Returns whether it can be asked now; says once why not. Throws REFUSED when it never will. */
    boolean isReachable() throws WitnessException, InterruptedException;

    /** Claims the right to change the term; returns whether this broker has it now. */
    boolean claim(String node) throws WitnessException, InterruptedException;

    /** Gives the claim back, if it can be. */
    void release(String node);

    long term(String node) throws WitnessException, InterruptedException;

    /** Writes the term; throws LOST for who has not the claim. */
    void set(String node, long term) throws WitnessException, InterruptedException;

    /** Writes the term if it is as expected; returns whether it was. Throws LOST for who has not the claim. */
    boolean swap(String node, long expected, long term) throws WitnessException, InterruptedException;

    @Override
    void close();
}
