package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.ForgetfulDisk;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cuts the power before every operation on the disk: what was acknowledged or receipted must be there afterwards. */
class PowerLossTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(
            value = CrashTest.Load.class,
            names = {
                "FILE",
                "EMPTY_FILE",
                "FILE_OVER_DIRECTORY",
                "FILE_THAT_WOULD_REPLACE_NONE",
                "FILE_BELOW",
                "ARCHIVED_FILE",
                "TREE",
                "TREE_OVER_TREE"
            })
    void shouldEndWithExactBytesWhenPowerFailsBeforeAnyOperation(CrashTest.Load load) {
        // given
        Rig undisturbed = rig(load, "undisturbed");
        ForgetfulDisk whole = forgetful("undisturbed");
        undisturbed.disk = whole;
        undisturbed.open().run();
        Map<String, String> expected = undisturbed.content();
        long operations = whole.operations();
        assertThat(operations).isGreaterThan(5);

        for (long operation = 0; operation < operations; operation++) {
            // when
            String name = "operation" + operation;
            Rig rig = rig(load, name);
            ForgetfulDisk disk = forgetful(name);
            rig.disk = disk;
            disk.failAfter(operation);
            runUntilDark(rig);
            rig.kill();
            disk.powerLoss();
            rig.disk = disk.restart();
            rig.open().run();

            // then
            String where = "power lost before operation " + operation;
            assertThat(rig.content()).as(where).isEqualTo(expected);
            assertThat(rig.receipts()).as(where).hasSize(1);
            assertThat(rig.leftovers()).as(where).isEmpty();
            assertThat(rig.backlog()).as(where).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashTest.Load.class,
            names = {
                "FILE",
                "EMPTY_FILE",
                "FILE_OVER_DIRECTORY",
                "FILE_THAT_WOULD_REPLACE_NONE",
                "FILE_BELOW",
                "ARCHIVED_FILE",
                "TREE",
                "TREE_OVER_TREE"
            })
    void shouldKeepWhatWasReceiptedWhenPowerFailsAfterwards(CrashTest.Load load) {
        // given
        Rig rig = rig(load, "rig");
        ForgetfulDisk disk = forgetful("rig");
        rig.disk = disk;
        rig.open().run();
        Map<String, String> delivered = rig.content();

        // when
        disk.powerLoss();

        // then
        assertThat(rig.content()).isEqualTo(delivered);
    }

    @Test
    void shouldKeepManySmallFilesWhenPowerFailsAfterTheirReceipt() {
        // given
        Rig rig = new Rig(directory.resolve("rig"));
        rig.journal = new Journal(true);
        ForgetfulDisk disk = forgetful("rig");
        rig.disk = disk;
        rig.publish(Shipment.tree(1, "tree", FileShapesTest.manyFiles()));
        rig.open().run();
        Map<String, String> delivered = rig.content();

        // when
        disk.powerLoss();

        // then
        assertThat(delivered).hasSizeGreaterThan(TreeAssembly.MANY);
        assertThat(rig.content()).isEqualTo(delivered);
    }

    private static void runUntilDark(Rig rig) {
        try {
            rig.open().run();
        } catch (RuntimeException e) {
            assertThat(e).hasStackTraceContaining("the power is off");
        }
    }

    private ForgetfulDisk forgetful(String name) {
        return new ForgetfulDisk(directory.resolve(name), directory.resolve("scratch"));
    }

    private Rig rig(CrashTest.Load load, String name) {
        Rig rig = new Rig(directory.resolve(name));
        rig.journal = new Journal(true);
        load.prepare.accept(rig);
        rig.publish(load.shipment);
        return rig;
    }
}
