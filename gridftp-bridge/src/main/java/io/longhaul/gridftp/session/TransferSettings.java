package io.longhaul.gridftp.session;

import io.longhaul.gridftp.data.MarkerPeriods;
import io.longhaul.gridftp.protocol.Fact;
import io.longhaul.gridftp.protocol.RestartMarker;
import io.longhaul.gridftp.spi.Copies;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.spi.WriteRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What commands have set for later ones. Those that the next transfer uses up are taken, the others are read. */
public final class TransferSettings {
    private boolean isText = true;
    private boolean isExtended;
    private int parallelism = 1;
    private boolean isDelayed;
    private boolean isExtendedPassiveOnly;
    private Optional<PassiveForm> pendingPassive = Optional.empty();
    private RestartMarker restart = RestartMarker.none();
    private long allocation;
    private Optional<WriteRequest.Checksum> checksum = Optional.empty();
    private Optional<FilePath> renameFrom = Optional.empty();
    private MarkerPeriods receiving = MarkerPeriods.DEFAULT;
    private boolean isPerformanceWanted;
    private MarkerPeriods sending = MarkerPeriods.NONE;
    private Duration checksumMarkers = Duration.ZERO;
    private Optional<Quorum> quorum = Optional.empty();
    private Copies copies = Copies.NONE;
    private Set<Fact> facts = Set.of(Fact.values());

    /** How a passive address is told. */
    public enum PassiveForm {
        /** 227, or 127 when delayed. */
        PASV,
        /** 229 with a port only, or 129. */
        EPSV,
        /** 229 with a list. */
        SPAS,
        /** 229 with a list in the form of EPRT. */
        SPAS_EXTENDED
    }

    public boolean isText() {
        return isText;
    }

    public void text(boolean value) {
        isText = value;
    }

    public boolean isExtended() {
        return isExtended;
    }

    public void extended(boolean value) {
        isExtended = value;
    }

    public int parallelism() {
        return parallelism;
    }

    public void parallelism(int value) {
        parallelism = value;
    }

    public boolean isDelayed() {
        return isDelayed;
    }

    public void delayed(boolean value) {
        isDelayed = value;
    }

    /** Returns whether the client has said {@code EPSV ALL}: middleboxes rely on it (RFC 2428 section 4). */
    public boolean isExtendedPassiveOnly() {
        return isExtendedPassiveOnly;
    }

    /** The client has said {@code EPSV ALL}, which nothing takes back. */
    public void extendedPassiveOnly() {
        isExtendedPassiveOnly = true;
    }

    public Optional<PassiveForm> pendingPassive() {
        return pendingPassive;
    }

    public void pendingPassive(Optional<PassiveForm> value) {
        pendingPassive = value;
    }

    public void restart(RestartMarker value) {
        restart = value;
    }

    /** Returns where the next transfer starts, which it uses up. */
    public RestartMarker takeRestart() {
        RestartMarker taken = restart;
        restart = RestartMarker.none();
        return taken;
    }

    public void allocation(long value) {
        allocation = value;
    }

    /** Returns how many bytes the next file is to have, which it uses up. */
    public long takeAllocation() {
        long taken = allocation;
        allocation = 0;
        return taken;
    }

    public void checksum(Optional<WriteRequest.Checksum> value) {
        checksum = value;
    }

    /** Returns the checksum of the next file, which it uses up. */
    public Optional<WriteRequest.Checksum> takeChecksum() {
        Optional<WriteRequest.Checksum> taken = checksum;
        checksum = Optional.empty();
        return taken;
    }

    /** Uses up what was said of the next transfer, which was refused. */
    public void forgetNext() {
        takeRestart();
        takeAllocation();
        takeChecksum();
    }

    public void renameFrom(Optional<FilePath> value) {
        renameFrom = value;
    }

    /** Returns what RNFR named, which RNTO uses up. */
    public Optional<FilePath> takeRenameFrom() {
        Optional<FilePath> taken = renameFrom;
        renameFrom = Optional.empty();
        return taken;
    }

    /** Returns the markers of files that come in; MODE S has none, unless they were asked for. */
    public MarkerPeriods receiving() {
        if (isExtended) {
            return receiving;
        }
        return isPerformanceWanted ? new MarkerPeriods(receiving.performance(), Duration.ZERO) : MarkerPeriods.NONE;
    }

    public void receivingPerformance(Duration period) {
        receiving = new MarkerPeriods(period, receiving.ranges());
        isPerformanceWanted = true;
    }

    public void receivingRanges(Duration period) {
        receiving = new MarkerPeriods(receiving.performance(), period);
    }

    public MarkerPeriods sending() {
        return sending;
    }

    public void sending(MarkerPeriods value) {
        sending = value;
    }

    public Duration checksumMarkers() {
        return checksumMarkers;
    }

    public void checksumMarkers(Duration value) {
        checksumMarkers = value;
    }

    /** Returns where what is stored goes besides. */
    public Copies copies() {
        return copies;
    }

    public void copies(Copies value) {
        copies = value;
    }

    /** Returns how many must have a file that goes to many; empty for what the mount was set up with. */
    public Optional<Quorum> quorum() {
        return quorum;
    }

    public void quorum(Optional<Quorum> value) {
        quorum = value;
    }

    public Set<Fact> facts() {
        return facts;
    }

    public void facts(Set<Fact> value) {
        facts = Set.copyOf(value);
    }
}
