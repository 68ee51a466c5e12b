package io.longhaul.broker.artemis;

import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;

/**
 * A text that is kept with a queue, where the account of who made it is: the server has it on disk, and the other broker of a
 * pair has it. For queues that no account may have. Any thread.
 */
record QueueNote(ActiveMQServer server, String queue) implements Known.Note {
    /** More has no room in a record of the server. */
    static final int MOST_CHARACTERS = 100_000;

    @Override
    public String read() {
        Queue found = server.locateQueue(SimpleString.of(queue));
        SimpleString kept = found == null ? null : found.getUser();
        return kept == null ? "" : kept.toString();
    }

    /** Does nothing where there is no such queue, or that is what it says. */
    @Override
    public void write(String text) throws Exception {
        if (server.locateQueue(SimpleString.of(queue)) != null && !text.equals(read())) {
            server.updateQueue(QueueConfiguration.of(queue).setUser(text));
        }
    }
}
