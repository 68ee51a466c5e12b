package io.longhaul.agent.receive;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.receipt.ReceiptSigner;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import java.time.Clock;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * What a {@link Receiver} works with.
 *
 * @param ledger the agent's ledger
 * @param disk the disk that files are received on
 * @param holdings what of it is kept for repairs, the one of the agent
 * @param link the connection to the network
 * @param signer gives receipts their place and signature
 * @param agentName name of the agent, whose inbox takes repairs
 * @param owner identity of the agent's data directory
 * @param clock time for people
 * @param nanoTime time for measuring, nanoseconds
 * @param threads makes the subscription's threads
 * @param floorBytes free space that is never used up on the target's file system
 */
public record ReceiverContext(
        Ledger ledger,
        Disk disk,
        Holdings holdings,
        Link link,
        ReceiptSigner signer,
        String agentName,
        String owner,
        Clock clock,
        LongSupplier nanoTime,
        ThreadFactory threads,
        long floorBytes) {}
