package io.longhaul.agent.publish;

import io.longhaul.agent.link.Link;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.Spool;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes down in which order a publisher writes, forces, commits and offers.
 *
 * <p>A commit counts when it is durable, and its caller learns of it only afterwards, on another thread: a caller that
 * does not wait comes too early in the list.
 */
final class Order {

    /** One thing that happened; {@code number} is a spool position, a piece index or 0. */
    record Event(String what, long number) {}

    private final List<Event> events = new ArrayList<>(); // guarded by this
    /** Why the ledger takes nothing; null when it does. */
    volatile @Nullable StorageException refusal;
    /** What the next commit of pieces is said to have failed with, though the ledger has it; null for nothing. */
    volatile @Nullable StorageException doubt;
    /** Why the ledger takes no pieces; null when it does. */
    volatile @Nullable StorageException noRoomForPieces;
    /** What the next read of the spool fails with; null for nothing. */
    volatile @Nullable StorageException unreadable;
    /** Runs before somebody reads all pieces of a transfer. */
    volatile Runnable whenPiecesAreRead = () -> {};

    synchronized void add(String what, long number) {
        events.add(new Event(what, number));
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** Returns the place of the first event of that name, or -1. */
    int first(String what) {
        List<Event> all = events();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).what.equals(what)) {
                return i;
            }
        }
        return -1;
    }

    Ledger of(Ledger ledger) {
        return proxy(Ledger.class, (proxy, method, arguments) -> {
            StorageException why = refusal;
            if (why != null && method.getName().equals("commit")) {
                return CompletableFuture.failedFuture(why);
            }
            StorageException noRoom = noRoomForPieces;
            if (noRoom != null && method.getName().equals("commit") && hasPieces(arguments[0])) {
                return CompletableFuture.failedFuture(noRoom);
            }
            if (method.getName().equals("forEachPiece")) {
                whenPiecesAreRead.run();
            }
            Object result = call(ledger, method, arguments);
            return method.getName().equals("commit") ? recorded(doubted(result, arguments[0]), arguments[0]) : result;
        });
    }

    private CompletableFuture<?> doubted(Object committed, Object changes) {
        StorageException why = doubt;
        CompletableFuture<?> done = (CompletableFuture<?>) committed;
        if (why == null || !hasPieces(changes)) {
            return done;
        }
        doubt = null;
        return done.thenCompose(nothing -> CompletableFuture.failedFuture(why));
    }

    private static boolean hasPieces(Object changes) {
        return ((List<?>) changes).stream().anyMatch(LedgerChange.PutPieces.class::isInstance);
    }

    private CompletableFuture<?> recorded(CompletableFuture<?> committed, Object changes) {
        return committed.thenRunAsync(() -> {
            for (Object change : (List<?>) changes) {
                if (change instanceof LedgerChange.PutTransfer transfer) {
                    add("commit " + transfer.row().state(), 0);
                } else if (change instanceof LedgerChange.PutReceipt) {
                    add("commit receipt", 0);
                } else if (change instanceof LedgerChange.PutPieces pieces) {
                    pieces.pieces().stream().map(PieceRow::spoolPosition).forEach(at -> add("commit slot", at));
                    pieces.pieces().stream().map(PieceRow::index).forEach(index -> add("commit piece", index));
                }
            }
        });
    }

    Spool of(Spool spool) {
        return proxy(Spool.class, (proxy, method, arguments) -> {
            StorageException why = unreadable;
            if (why != null && method.getName().equals("read")) {
                unreadable = null;
                throw why;
            }
            Object result = call(spool, method, arguments);
            if (method.getName().equals("write")) {
                add("write", (Long) result);
            } else if (method.getName().equals("force")) {
                add("force", 0);
            }
            return result;
        });
    }

    Link of(Link link) {
        return proxy(Link.class, (proxy, method, arguments) -> {
            if (method.getName().equals("offer")) {
                Frame frame = (Frame) arguments[1];
                add(
                        "offer " + frame.type().wireName(),
                        frame instanceof Piece piece ? piece.header().index() : 0);
            }
            return call(link, method, arguments);
        });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
