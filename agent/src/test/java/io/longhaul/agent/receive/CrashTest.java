package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.ExistingPolicy;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptProof;
import io.longhaul.wire.ReceiptSignature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ends the process at every step, before and after it, and starts it again: nothing may be lost, doubled or left. */
class CrashTest {
    @TempDir
    Path directory;

    enum Load {
        FILE(Shipment.file(1, "file", Shipment.random(1, 40_000)), rig -> {}),
        EMPTY_FILE(Shipment.file(1, "file", new byte[0]), rig -> {}),
        FILE_OVER_FILE(Shipment.file(1, "file", Shipment.random(1, 9_000)), rig -> write(rig, "file")),
        FILE_OVER_DIRECTORY(Shipment.file(1, "name", Shipment.random(1, 9_000)), rig -> write(rig, "name/old")),
        RENAMED_FILE(Shipment.file(1, "file", Shipment.random(1, 9_000)), rig -> {
            rig.existing = ExistingPolicy.RENAME;
            write(rig, "file");
        }),
        KEPT_FILE(Shipment.file(1, "file", Shipment.random(1, 9_000)), rig -> {
            rig.existing = ExistingPolicy.KEEP;
            write(rig, "file");
        }),
        FILE_THAT_WOULD_REPLACE_NONE(
                Shipment.file(1, "file", Shipment.random(1, 9_000)), rig -> rig.existing = ExistingPolicy.KEEP),
        FILE_BELOW(Shipment.file(1, "a/b/file", Shipment.random(1, 9_000)), rig -> {}),
        ARCHIVED_FILE(Shipment.file(1, "file", Shipment.random(1, 9_000)), rig -> rig.archive = true),
        CARRIED_FILE(
                Shipment.file(1, "a/file", Shipment.random(1, 9_000)),
                rig -> rig.target = Optional.of((path, name) -> CompletableFuture.completedFuture(null))),
        TREE(smallTree(), rig -> {}),
        TREE_OVER_TREE(smallTree(), rig -> write(rig, "tree/b/old")),
        TREE_OVER_FILE(smallTree(), rig -> write(rig, "tree"));

        final Shipment shipment;
        final Consumer<Rig> prepare;

        Load(Shipment shipment, Consumer<Rig> prepare) {
            this.shipment = shipment;
            this.prepare = prepare;
        }
    }

    private static Shipment smallTree() {
        return Shipment.tree(
                1,
                "tree",
                List.of(
                        Shipment.Node.of(Shipment.directory("b")),
                        Shipment.Node.file("b/large", Shipment.random(1, Shipment.PIECE + 17)),
                        Shipment.Node.of(Shipment.link("b/link", "../small")),
                        Shipment.Node.file("small", Shipment.random(2, 700))));
    }

    private static void write(Rig rig, String name) {
        try {
            Path path = rig.into.resolve(name);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "old");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Load.class)
    void shouldEndWithExactBytesAndOneReceiptWhenKilledAtAnyStep(Load load) {
        // given
        Rig undisturbed = rig(load, "undisturbed");
        undisturbed.open().run();
        Map<String, String> expected = undisturbed.content();
        assertThat(undisturbed.receipts()).hasSize(1);
        int steps = undisturbed.journal.steps().size();
        assertThat(steps).isGreaterThan(5);

        for (int step = 0; step < steps; step++) {
            for (boolean after : List.of(false, true)) {
                // when
                Rig rig = rig(load, "step" + step + after);
                rig.journal.crashAt(step, after);
                assertThat(rig.runIntoCrash()).isTrue();
                rig.kill();
                rig.open().run();

                // then
                String where = "killed " + (after ? "after" : "before") + " step " + step + ": "
                        + undisturbed.journal.steps().get(step);
                assertThat(rig.content()).as(where).isEqualTo(expected);
                assertThat(rig.receipts()).as(where).hasSize(1);
                assertThat(rig.receipts().get(0).outcome())
                        .as(where)
                        .isEqualTo(load == Load.KEPT_FILE ? Receipt.Outcome.KEPT : Receipt.Outcome.DELIVERED);
                assertThat(rig.ended).as(where).isNotEmpty();
                assertThat(rig.leftovers()).as(where).isEmpty();
                assertThat(rig.backlog()).as(where).isZero();
            }
        }
    }

    /** A receipt that was sent is the one in the ledger, and the chain has neither gap nor fork. */
    @Test
    void shouldSendTheSameSignedReceiptsInOneChainWhenKilledAtAnyStep() {
        // given
        int steps = twoFiles("undisturbed").open().run().journal.steps().size();

        for (int step = 0; step < steps; step++) {
            for (boolean after : List.of(false, true)) {
                // when
                Rig rig = twoFiles("step" + step + after);
                rig.journal.crashAt(step, after);
                assertThat(rig.runIntoCrash()).isTrue();
                rig.kill();
                rig.open().run();

                // then
                List<Receipt> receipts = rig.receipts();
                String where = "killed " + (after ? "after" : "before") + " step " + step;
                assertThat(receipts).as(where).hasSize(2).allMatch(ReceiptSignature::holds);
                Receipt first = ofNumber(1, receipts);
                assertThat(proof(first).previous()).as(where).isEqualTo(ReceiptSignature.NO_PREVIOUS);
                assertThat(proof(ofNumber(2, receipts)).previous()).as(where).isEqualTo(ReceiptSignature.hash(first));
                assertThat(proof(first).key()).as(where).isEqualTo(Rig.KEY.publicKey());
            }
        }
    }

    private static Receipt ofNumber(long number, List<Receipt> receipts) {
        return receipts.stream()
                .filter(receipt -> proof(receipt).sequence() == number)
                .findAny()
                .orElseThrow(() -> new AssertionError("no receipt of number " + number + " in " + receipts));
    }

    private static ReceiptProof proof(Receipt receipt) {
        return receipt.proof().orElseThrow();
    }

    /** The newer one may have been renamed and not be recorded, while the older one waits for its turn. */
    @Test
    void shouldEndWithTheNewerOfOneNameWhenKilledAtAnyStep() {
        // given
        int steps = twoOfOneName("undisturbed").open().run().journal.steps().size();

        for (int step = 0; step < steps; step++) {
            for (boolean after : List.of(false, true)) {
                // when
                Rig rig = twoOfOneName("step" + step + after);
                rig.journal.crashAt(step, after);
                assertThat(rig.runIntoCrash()).isTrue();
                rig.kill();
                rig.open().run();

                // then
                String where = "killed " + (after ? "after" : "before") + " step " + step;
                assertThat(rig.into.resolve("file")).as(where).hasBinaryContent(Shipment.random(2, 9_000));
                assertThat(rig.receipts())
                        .as(where)
                        .filteredOn(receipt -> receipt.transfer().equals(Shipment.id(2)))
                        .singleElement()
                        .satisfies(receipt -> assertThat(receipt.digest())
                                .isEqualTo(NEWER.seal().digest()));
                assertThat(rig.receipts()).as(where).hasSize(2);
            }
        }
    }

    private static final Shipment NEWER = Shipment.file(2, "file", Shipment.random(2, 9_000));

    /** The older one is the first to begin, and both are whole in one batch, the newer one first. */
    private Rig twoOfOneName(String name) {
        Rig rig = new Rig(directory.resolve(name));
        Shipment older = Shipment.file(1, "file", Shipment.random(1, 9_000));
        rig.publish(List.of(older.manifest()));
        rig.publish(NEWER);
        rig.publish(older.pieces());
        rig.publish(List.of(older.seal()));
        return rig;
    }

    private Rig twoFiles(String name) {
        Rig rig = new Rig(directory.resolve(name));
        rig.publish(Shipment.file(1, "one", Shipment.random(1, 9_000)));
        rig.publish(Shipment.file(2, "two", Shipment.random(2, 9_000)));
        return rig;
    }

    private Rig rig(Load load, String name) {
        Rig rig = new Rig(directory.resolve(name));
        load.prepare.accept(rig);
        rig.publish(load.shipment);
        return rig;
    }
}
