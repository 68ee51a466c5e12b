package io.longhaul.agent;

/** Learns of an agent's weather. Called on the agent's threads; must not block; exceptions are logged and dropped. */
@FunctionalInterface
public interface AgentListener {
    /** One line for a person: connection lost or back, broker paused for want of disk, a repair served. */
    void notice(String line);
}
