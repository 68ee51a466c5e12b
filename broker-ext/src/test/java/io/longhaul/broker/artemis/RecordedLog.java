package io.longhaul.broker.artemis;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;

/** A logger whose lines a test reads. */
final class RecordedLog {
    private RecordedLog() {}

    /** Returns one that adds each line, with all that it is made of. */
    static Logger into(List<String> lines) {
        return (Logger) Proxy.newProxyInstance(
                RecordedLog.class.getClassLoader(), new Class<?>[] {Logger.class}, (self, method, arguments) -> {
                    lines.add(Arrays.deepToString(arguments));
                    return null;
                });
    }
}
