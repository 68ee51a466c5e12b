package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.limits.Limit;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalSpaceTest {
    private static final long MIB = 1024 * 1024;
    private static final ServerSettings.Memory MEMORY = ServerSettings.Memory.of(512 * MIB);

    @TempDir
    Path directory;

    private ServerSettings settings(boolean forwardOnly) {
        return new ServerSettings(
                "one",
                directory,
                List.of(),
                false,
                MEMORY,
                new ServerSettings.Limits(1, 1, Limit.NONE, List.of()),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                0,
                forwardOnly,
                Optional.empty());
    }

    private static long journalBytes(ServerSettings settings) {
        return (long) settings.journalFiles() * settings.journalFileBytes();
    }

    @Test
    void shouldRefuseANewBrokerThatWouldStandBelowTheFloorWhenLessIsAskedForThanTheLeast() {
        // given
        ServerSettings asked = settings(false);
        long needed = journalBytes(asked) + 16 * MIB + 64 * MIB;
        DiskFloor.FreeSpace space = () -> needed - 1;
        DiskFloor floor = new DiskFloor(directory, space, asked.limits().floorBytes());

        // when, then
        assertThatThrownBy(() -> JournalSpace.check(asked, space, floor))
                .hasMessageContaining("needed " + needed + " bytes")
                .hasMessageContaining("found " + (needed - 1) + " free");
        assertThatCode(() -> JournalSpace.check(asked, () -> needed, floor)).doesNotThrowAnyException();
    }

    @Test
    void shouldAskABrokerThatOnlyForwardsForNoFloor() {
        // given
        ServerSettings relay = settings(true);
        DiskFloor.FreeSpace space = () -> journalBytes(relay) + 16 * MIB;

        // when, then
        assertThatCode(() -> JournalSpace.check(relay, space, DiskFloor.none(directory, space)))
                .doesNotThrowAnyException();
    }
}
