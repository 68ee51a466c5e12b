package io.longhaul.broker.artemis;

import java.util.Map;
import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.selector.filter.Filterable;

/** A filter in code where the server would take one in text. */
record Choice(Predicate<Message> chosen) implements Filter {
    @Override
    public boolean match(Message message) {
        return chosen.test(message);
    }

    @Override
    public boolean match(Map<String, String> map) {
        return false;
    }

    @Override
    public boolean match(Filterable filterable) {
        return filterable instanceof Message message && chosen.test(message);
    }

    @Override
    public SimpleString getFilterString() {
        return SimpleString.of("chosen in code");
    }
}
