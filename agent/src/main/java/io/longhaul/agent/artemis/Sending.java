package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkListener;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends what is offered, and settles it when the broker has answered. Thread-safe. */
final class Sending {
    private static final Logger LOG = LoggerFactory.getLogger(Sending.class);

    private final SendWindow window;
    private final LinkListener listener;

    Sending(SendWindow window, LinkListener listener) {
        this.window = window;
        this.listener = listener;
    }

    /** Sends what is offered on a connection, unless that has failed: then it stays in the window for the next one. */
    void send(BrokerConnection on, Offer offer) {
        if (on.isFailed()) {
            return;
        }
        try {
            ClientMessage message = Messages.encode(offer.frame, offer.deduplication, offer.priority);
            on.producer().send(SimpleString.of(offer.address), message, new SendAcknowledgementHandler() {
                @Override
                public void sendAcknowledged(org.apache.activemq.artemis.api.core.Message acknowledged) {
                    accepted(offer);
                }

                @Override
                public void sendFailed(org.apache.activemq.artemis.api.core.Message refused, Exception failure) {
                    failed(on, offer, failure);
                }
            });
        } catch (ActiveMQException | RuntimeException e) {
            failed(on, offer, e);
        }
    }

    private void accepted(Offer offer) {
        if (window.decide(offer)) {
            try {
                offer.listener.safe();
            } finally {
                window.settle(offer);
            }
        }
        if (window.resume(offer)) {
            listener.resumed();
        }
    }

    private void failed(BrokerConnection on, Offer offer, Exception failure) {
        switch (Failures.verdict(failure, on.isFailed())) {
            case LOST -> LOG.debug("send not confirmed: {}", String.valueOf(failure.getMessage()));
            case RETRY -> {
                if (!on.isFailed() && window.pause()) {
                    listener.paused(String.valueOf(failure.getMessage()));
                }
            }
            case REFUSED -> {
                if (window.decide(offer)) {
                    offer.listener.refused(Failures.translate("send to " + offer.address, failure));
                    window.settle(offer);
                }
                if (window.resume(offer)) {
                    listener.resumed();
                }
            }
        }
    }
}
