package io.longhaul.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.doctor.Finding.State;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChecksTest {

    @Test
    void shouldSayThatAHostIsUnknownWhenItsNameHasNoAddress() {
        // then
        assertThat(NetworkChecks.reason(new UnknownHostException("broker.example.org")))
                .isEqualTo("unknown host broker.example.org");
        assertThat(NetworkChecks.reason(new ConnectException("Connection refused")))
                .isEqualTo("Connection refused");
    }

    @Test
    void shouldFailWhenJavaIsOld() {
        // then
        assertThat(MachineChecks.java(11).state()).isEqualTo(State.FAILED);
        assertThat(MachineChecks.java(17).state()).isEqualTo(State.OK);
    }

    @Test
    void shouldFailWhenFileNamesAreNotUtf8() {
        // then
        assertThat(MachineChecks.locale("ANSI_X3.4-1968").state()).isEqualTo(State.FAILED);
        assertThat(MachineChecks.locale("").state()).isEqualTo(State.FAILED);
        assertThat(MachineChecks.locale("UTF-8").state()).isEqualTo(State.OK);
    }

    @Test
    void shouldWarnWhenLimitsAreLow() {
        // then
        assertThat(MachineChecks.files(Optional.of(1024L)).state()).isEqualTo(State.WARNING);
        assertThat(MachineChecks.files(Optional.of(65_536L)).state()).isEqualTo(State.OK);
        assertThat(MachineChecks.memory(64L << 20).advice()).isNotEmpty();
    }

    @Test
    void shouldReadSoftLimitWhenKernelTellsIt() {
        // then
        assertThat(MachineChecks.openFiles(
                        "Limit  Soft  Hard  Units\nMax open files            20000   30000   files\n"))
                .contains(20_000L);
        assertThat(MachineChecks.openFiles("Max open files            unlimited   unlimited   files"))
                .contains(Long.MAX_VALUE);
        assertThat(MachineChecks.openFiles("")).isEmpty();
    }

    @Test
    void shouldFailWhenClockWasNeverSet() {
        // then
        assertThat(MachineChecks.clock(Instant.EPOCH).state()).isEqualTo(State.FAILED);
    }

    @Test
    void shouldLeaveNothingBehindWhenDirectoryIsMissing(@TempDir Path home) {
        // given
        AtomicLong clock = new AtomicLong();

        // when
        List<Finding> findings =
                new DataChecks(home.resolve("x/y"), Disk.real(), () -> clock.addAndGet(1_000_000)).all();

        // then
        assertThat(findings).extracting(Finding::check).contains("disk-space", "disk-sync", "disk-clock");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void shouldWarnWhenDiskIsSlow(@TempDir Path home) {
        // given
        AtomicLong clock = new AtomicLong();

        // when
        List<Finding> findings = new DataChecks(home, Disk.real(), () -> clock.addAndGet(80_000_000)).all();

        // then
        assertThat(findings)
                .filteredOn(finding -> finding.check().equals("disk-sync"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.state()).isEqualTo(State.WARNING))
                .satisfies(finding -> assertThat(finding.found()).startsWith("80.00 ms"));
    }

    @Test
    void shouldAdviseToMakeTheDirectoryWhenItCannotBeMade() {
        // given
        Path nowhere = Path.of("/proc/longhaul");

        // when / then
        assertThat(new DataChecks(nowhere, Disk.real(), System::nanoTime).all())
                .filteredOn(finding -> finding.check().equals("disk-write"))
                .singleElement()
                .extracting(Finding::advice)
                .isEqualTo("make, for this user, /proc/longhaul, or choose another --data");
    }

    @Test
    void shouldFailWhenAFileHasThePlaceOfTheDataDirectory(@TempDir Path home) throws IOException {
        // given
        Path file = Files.createFile(home.resolve("data"));

        // then
        assertThat(new DataChecks(file, Disk.real(), System::nanoTime).all())
                .anyMatch(finding -> finding.check().equals("data") && finding.state() == State.FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "VERSION, 'longhaul store 9', use the version of Longhaul that wrote it",
        "VERSION, junk, keep a copy of",
        "lock, directory, let this user read and write"
    })
    void shouldAdviseByWhatIsWrongWithTheDataDirectory(String name, String content, String advice, @TempDir Path home)
            throws IOException {
        // given
        Store.open(home, StoreConfig.defaults(), Disk.real()).close();
        Path part = home.resolve(name);
        Files.delete(part);
        if (content.equals("directory")) {
            Files.createDirectory(part);
        } else {
            Files.writeString(part, content + "\n");
        }

        // then
        assertThat(new DataChecks(home, Disk.real(), System::nanoTime).all())
                .filteredOn(finding -> finding.check().equals("data"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.advice()).startsWith(advice));
    }
}
