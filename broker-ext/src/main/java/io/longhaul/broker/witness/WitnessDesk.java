package io.longhaul.broker.witness;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the brokers of pairs. Thread-safe; writes to disk.
 *
 * <h2>Design</h2>
 * What is safe does not depend on any clock: a pair's <em>term</em> changes only for who has the claim, checked here in one
 * step, and both brokers of a pair that is in sync know the same term. Whoever moves it on lives alone from then on, and
 * the other one is stale. The <em>claim</em> says who may try. It ends with its session, or after {@value
 * #SILENCE_MILLIS} ms without a sign of life, which only keeps a healthy primary from being raced by its backup: one that
 * was silent too long and comes too late is refused like any other.
 *
 * <p>A pair belongs to the account that asked for it first, until that may link no more: no other site that links may
 * decide which broker of a pair lives, nor make both of them stale.
 */
public final class WitnessDesk {
    static final long SILENCE_MILLIS = 1200;
    static final int MOST_PAIRS = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(WitnessDesk.class);
    private static final Pattern WORD = Pattern.compile("[!-~]{1,256}");

    private final WitnessBook book; // guarded by this
    private final Predicate<String> accounts;
    private final LongSupplier nanoTime;
    private final Map<String, Claim> claims = new HashMap<>(); // guarded by this
    private boolean told; // guarded by this; whether it was said that there are too many pairs

    /** Who may write a pair's term. */
    private record Claim(Object holder, long heardNs) {}

    /**
     * Who asks.
     *
     * @param session stands for it, and for nobody else
     * @param account that it has logged in with
     */
    public record Asker(Object session, String account) {}

    /**
     * Makes a desk.
     *
     * @param accounts tells of an account whether it may link now; of none where nobody logs in
     */
    public WitnessDesk(WitnessBook book, Predicate<String> accounts, LongSupplier nanoTime) {
        this.book = book;
        this.accounts = accounts;
        this.nanoTime = nanoTime;
    }

    public synchronized Answer answer(Ask ask, Asker asker) {
        if (!WORD.matcher(ask.pair()).matches() || !WORD.matcher(ask.node()).matches()) {
            return new Answer(ask.number(), Outcome.OTHER_NODE, 0);
        }
        WitnessBook.@Nullable Entry entry = book.entry(ask.pair()).orElse(null);
        long term = entry == null ? 0 : entry.term();
        if (entry != null && !entry.account().equals(asker.account()) && accounts.test(entry.account())) {
            return new Answer(ask.number(), Outcome.OTHER_ACCOUNT, 0);
        }
        if (entry != null && !entry.node().equals(ask.node())) {
            return new Answer(ask.number(), Outcome.OTHER_NODE, term);
        }
        return switch (ask.operation()) {
            case GET -> new Answer(ask.number(), Outcome.DONE, term);
            case CLAIM -> new Answer(ask.number(), claim(ask, asker), term);
            case RELEASE -> {
                claims.computeIfPresent(ask.pair(), (pair, claim) -> claim.holder() == asker.session() ? null : claim);
                yield new Answer(ask.number(), Outcome.DONE, term);
            }
            case SET -> write(ask, asker, term);
            case SWAP ->
                term == ask.expected() ? write(ask, asker, term) : new Answer(ask.number(), Outcome.CHANGED, term);
        };
    }

    private Outcome claim(Ask ask, Asker asker) {
        String pair = ask.pair();
        if (isOneTooMany(pair)) {
            return Outcome.FAILED;
        }
        long now = nanoTime.getAsLong();
        Claim claim = claims.get(pair);
        boolean mine = claim == null
                || claim.holder() == asker.session()
                || now - claim.heardNs() > SILENCE_MILLIS * 1_000_000;
        if (!mine) {
            return Outcome.CLAIMED;
        }
        claims.put(pair, new Claim(asker.session(), now));
        Optional<WitnessBook.Entry> others =
                book.entry(pair).filter(entry -> !entry.account().equals(account(asker)));
        return others.isPresent() && !put(ask, asker, others.get().term()) ? Outcome.FAILED : Outcome.DONE;
    }

    /** Returns the account; empty where nobody logs in, so that any name can be given. */
    private String account(Asker asker) {
        return accounts.test(asker.account()) ? asker.account() : "";
    }

    /** Pairs that the book has are always served. */
    private boolean isOneTooMany(String pair) {
        boolean full = Math.max(book.pairs(), claims.size()) >= MOST_PAIRS;
        if (!full || book.entry(pair).isPresent() || claims.containsKey(pair)) {
            return false;
        }
        if (!told) {
            told = true;
            LOG.error("witness: pair {} and others are refused: {} pairs are served, no more", pair, MOST_PAIRS);
        }
        return true;
    }

    private Answer write(Ask ask, Asker asker, long term) {
        Claim claim = claims.get(ask.pair());
        if (claim == null || claim.holder() != asker.session()) {
            return new Answer(ask.number(), Outcome.CLAIMED, term);
        }
        if (!put(ask, asker, ask.value())) {
            return new Answer(ask.number(), Outcome.FAILED, term);
        }
        claims.put(ask.pair(), new Claim(asker.session(), nanoTime.getAsLong()));
        if (ask.value() > 0) {
            LOG.info("witness: pair {} is in term {}", ask.pair(), ask.value());
        }
        return new Answer(ask.number(), Outcome.DONE, ask.value());
    }

    private boolean put(Ask ask, Asker asker, long term) {
        try {
            book.put(ask.pair(), new WitnessBook.Entry(ask.node(), term, account(asker)));
            return true;
        } catch (IOException e) {
            LOG.error("witness: the term of pair {} cannot be kept: {}", ask.pair(), e.toString());
            return false;
        }
    }

    /** The session of an asker has ended. */
    public synchronized void left(Object session) {
        claims.values().removeIf(claim -> claim.holder() == session);
    }
}
