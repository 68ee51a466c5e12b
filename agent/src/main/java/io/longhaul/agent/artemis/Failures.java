package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.LinkException.Code;
import io.longhaul.wire.Refusals;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;

/** What a failure of the Artemis client means to an agent. */
final class Failures {
    private static final Map<String, Code> ANSWERS = Map.of(
            Refusals.NO_SUBSCRIPTION, Code.NO_SUBSCRIPTION,
            Refusals.NAME_IN_USE, Code.NAME_IN_USE,
            Refusals.FORBIDDEN, Code.FORBIDDEN,
            Refusals.QUOTA, Code.QUOTA,
            Refusals.BAD_FRAME, Code.FAILED);

    private Failures() {}

    /** What to do with a frame whose send failed. */
    enum Verdict {
        /** The connection is going, or gone: it is sent again on the next one. */
        LOST,
        /** The broker takes nothing for now: tried again in a while. */
        RETRY,
        /** The broker will never take it. */
        REFUSED
    }

    /** As {@link #verdict(Exception)}; there is no next connection as long as this one lives. */
    static Verdict verdict(Exception failure, boolean connectionFailed) {
        Verdict verdict = verdict(failure);
        return verdict == Verdict.LOST && !connectionFailed ? Verdict.RETRY : verdict;
    }

    static Verdict verdict(Exception failure) {
        if (Refusals.says(Refusals.NO_SPACE, failure)) {
            return Verdict.RETRY;
        }
        if (ANSWERS.keySet().stream().anyMatch(word -> Refusals.says(word, failure))) {
            return Verdict.REFUSED;
        }
        if (!(failure instanceof ActiveMQException known)) {
            return Verdict.LOST;
        }
        return switch (known.getType()) {
            case SECURITY_EXCEPTION, ADDRESS_DOES_NOT_EXIST, QUEUE_DOES_NOT_EXIST -> Verdict.REFUSED;
            case ADDRESS_FULL, IO_ERROR -> Verdict.RETRY;
            default -> Verdict.LOST;
        };
    }

    /** Returns the failure as the link reports it. */
    static LinkException translate(String what, Exception failure) {
        for (Map.Entry<String, Code> answer : ANSWERS.entrySet()) {
            Optional<String> detail = Refusals.detail(answer.getKey(), failure);
            if (detail.isPresent()) {
                return new LinkException(answer.getValue(), detail.get(), failure);
            }
        }
        if (failure instanceof ActiveMQException known && known.getType() == ActiveMQExceptionType.SECURITY_EXCEPTION) {
            return new LinkException(Code.FORBIDDEN, what + ": the user lacks the right", failure);
        }
        if (verdict(failure) == Verdict.LOST) {
            return new LinkException(Code.UNREACHABLE, what + ": connection lost", failure);
        }
        if (failure instanceof ActiveMQException known
                && known.getType() == ActiveMQExceptionType.QUEUE_DOES_NOT_EXIST) {
            // a broker may remove one that nobody has consumed for long, just when its agent is back
            return new LinkException(Code.UNREACHABLE, what + ": the queue has just been removed", failure);
        }
        return new LinkException(Code.FAILED, what + ": " + failure.getMessage(), failure);
    }

    /** Whoever mistyped a name must not believe that the subscription is gone, which goes on to gather a backlog. */
    static LinkException noSubscription(BrokerPlaces broker, String topic, String subscription) {
        return new LinkException(
                Code.NO_SUBSCRIPTION,
                "topic " + topic + " has no subscription " + subscription + " at broker " + broker
                        + "; one of another broker is ended there");
    }
}
