package io.longhaul.cli;

import io.longhaul.agent.Delivered;
import io.longhaul.agent.Progress;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.cli.terminal.Shown;
import io.longhaul.wire.Receipt;
import java.util.Locale;

/** The result lines of publications, subscriptions and receipts, as text and as JSON. */
final class Lines {
    private Lines() {}

    static void published(Console console, PublicationResult result, String topic) {
        console.result(
                String.format(
                        Locale.ROOT,
                        "published %s %s %d bytes sha256:%s in %s, %s, %d sent again (%d bytes)",
                        result.transfer(),
                        Shown.quoted(result.name()),
                        result.length(),
                        result.digest(),
                        Amounts.seconds(result.seconds()),
                        Amounts.count(result.pieces(), "piece"),
                        result.resentPieces(),
                        result.resentBytes()),
                JsonLine.of("published")
                        .with("transfer", result.transfer())
                        .with("topic", topic)
                        .with("name", result.name())
                        .with("bytes", result.length())
                        .with("digest", result.digest())
                        .with("seconds", result.seconds())
                        .with("pieces", result.pieces())
                        .with("resentPieces", result.resentPieces())
                        .with("resentBytes", result.resentBytes())
                        .with("receipts", result.receipts().size()));
        result.receipts().forEach(receipt -> receipt(console, receipt));
    }

    /** A source that is no longer needed. */
    static void spooled(Console console, Publication publication, String topic) {
        String name = publication.progress().name();
        console.say("longhaul: " + Shown.quoted(name) + " is kept here whole; its source is no longer needed");
        console.event(JsonLine.of("spooled")
                .with("transfer", publication.transfer())
                .with("topic", topic)
                .with("name", name));
    }

    static void receipt(Console console, Receipt receipt) {
        console.result(
                "receipt " + receipt.transfer() + " from " + receipt.subscription() + ": " + word(receipt) + ' '
                        + Shown.quoted(receipt.path()) + ' ' + receipt.length() + " bytes sha256:" + receipt.digest()
                        + because(receipt.reason()),
                JsonLine.of("receipt")
                        .with("transfer", receipt.transfer())
                        .with("topic", receipt.topic())
                        .with("subscription", receipt.subscription())
                        .with("agent", receipt.agent())
                        .with("outcome", word(receipt))
                        .with("path", receipt.path())
                        .with("bytes", receipt.length())
                        .with("digest", receipt.digest())
                        .with("at", receipt.atMillis())
                        .with("reason", receipt.reason()));
    }

    /** A publication that ended without success; the transfer is empty when it never got one. */
    static void failed(Console console, String transfer, String name, String topic, String reason, int exit) {
        console.warn("longhaul: " + Shown.quoted(name) + " to " + topic + ": " + reason);
        console.event(JsonLine.of("failed")
                .with("transfer", transfer)
                .with("topic", topic)
                .with("name", name)
                .with("reason", reason)
                .with("exit", exit));
    }

    /** A publication that goes on another time. */
    static void unfinished(Console console, Progress progress, String topic) {
        console.say("longhaul: " + Shown.quoted(progress.name()) + " to " + topic + ": " + progress.safeBytes() + " of "
                + (progress.totalBytes() < 0 ? "?" : progress.totalBytes()) + " bytes are safe at the broker");
        console.event(JsonLine.of("unfinished")
                .with("transfer", progress.transfer())
                .with("topic", topic)
                .with("name", progress.name())
                .with("bytes", progress.totalBytes())
                .with("safeBytes", progress.safeBytes())
                .with("resentPieces", progress.resentPieces())
                .with("resentBytes", progress.resentBytes()));
    }

    /** A transfer that reached its end at a subscription. */
    static void ended(Console console, Delivered delivered) {
        Receipt receipt = delivered.receipt();
        boolean inPlace = !receipt.path().isEmpty();
        console.result(
                word(receipt) + ' '
                        + (inPlace
                                ? Shown.quoted(delivered.path().toString()) + ' ' + receipt.length() + " bytes sha256:"
                                        + receipt.digest()
                                : receipt.transfer() + " " + Shown.quoted(delivered.name()))
                        + " in " + Amounts.seconds(delivered.seconds()) + because(receipt.reason()),
                JsonLine.of(word(receipt))
                        .with("transfer", receipt.transfer())
                        .with("topic", receipt.topic())
                        .with("subscription", receipt.subscription())
                        .with("name", name(delivered))
                        .with("path", delivered.path().toString())
                        .with("bytes", receipt.length())
                        .with("digest", receipt.digest())
                        .with("seconds", delivered.seconds())
                        .with("duplicatePieces", delivered.duplicatePieces())
                        .with("duplicateBytes", delivered.duplicateBytes())
                        .with("repairedBytes", delivered.repairedBytes())
                        .with("reason", receipt.reason()));
    }

    /** Returns the name in the subscription's directory, or that of the publisher for what has no place there. */
    static String name(Delivered delivered) {
        return delivered.receipt().path().isEmpty()
                ? delivered.name()
                : delivered.receipt().path();
    }

    /** Returns what became of a transfer at a subscription, as a word. */
    static String word(Receipt receipt) {
        return receipt.outcome().name().toLowerCase(Locale.ROOT);
    }

    private static String because(String reason) {
        return reason.isEmpty() ? "" : ": " + Shown.escaped(reason);
    }
}
