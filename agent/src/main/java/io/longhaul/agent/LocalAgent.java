package io.longhaul.agent;

/** The agent of this process. */
final class LocalAgent {
    private LocalAgent() {}

    static Agent open(AgentConfig config, AgentListener listener) {
        throw new AgentException(AgentException.Code.REFUSED, "not built: " + config + listener);
    }
}
