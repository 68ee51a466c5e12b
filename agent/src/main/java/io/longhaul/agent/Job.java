package io.longhaul.agent;

/**
 * What an agent publishes as one task that is given again when it was interrupted, such as the files of a command.
 *
 * <p>What the agent completes of a job that is not over when it closes, or is killed, answers the same request at the next
 * start instead of being sent again, until a later agent of the data directory closes whose job is over, or who has none. Each
 * completed transfer is remembered for that; so a job is to end, and a service that publishes for ever has none. May be used
 * from any thread.
 */
public final class Job {
    private volatile boolean over;

    /** Says that whoever gave the job knows what became of all of it: the same request is a new one from now on. */
    public void end() {
        over = true;
    }

    /** Returns whether it has ended. */
    public boolean isOver() {
        return over;
    }
}
