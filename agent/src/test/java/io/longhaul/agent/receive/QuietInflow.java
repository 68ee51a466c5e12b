package io.longhaul.agent.receive;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.Link;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A flow that gives nothing until it is closed. */
record QuietInflow(CountDownLatch waiting, CountDownLatch closed) implements Inflow {

    /** Returns a link that has no other flow. */
    static Link of(Link link, CountDownLatch waiting, CountDownLatch closed) {
        return (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(),
                new Class<?>[] {Link.class},
                (self, method, arguments) -> method.getName().equals("subscribe")
                        ? new QuietInflow(waiting, closed)
                        : method.invoke(link, arguments));
    }

    @Override
    public @Nullable Delivery poll(Duration timeout) throws InterruptedException {
        if (!timeout.isZero()) {
            waiting.countDown();
            closed.await();
        }
        return null;
    }

    @Override
    public void acknowledge(Delivery last) {}

    @Override
    public long backlog() {
        return 0;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
