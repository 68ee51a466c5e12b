package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import java.util.Map;
import java.util.Optional;

/** Who may have a link to this broker, of those whose greeting was right. Network's thread only. */
final class Admission {
    private static final int MOST_NEIGHBOURS = 1000;
    private static final int MOST_NAMES_OF_ACCOUNT = 16;

    private final String self;
    private final Map<String, Neighbour> neighbours;
    private final Removal removal;

    /** Takes all neighbours by name, as they come and go. */
    Admission(String self, Map<String, Neighbour> neighbours, Removal removal) {
        this.self = self;
        this.neighbours = neighbours;
        this.removal = removal;
    }

    /** Returns why a link to this peer must not stand; empty when it may, in place of one that does. */
    Optional<LinkFrame.Refused> objection(String peer, boolean opener, LinkRights rights) throws Exception {
        if (removal.isUnderWay(peer)) {
            return Optional.of(new LinkFrame.Refused(
                    LinkFrame.Reason.LINKED, "the broker " + peer + " is being removed from " + self));
        }
        Neighbour known = neighbours.get(peer);
        if (known == null) {
            return crowd(rights).map(text -> new LinkFrame.Refused(LinkFrame.Reason.LOGIN, text));
        }
        boolean own = known.isOpenedHere()
                && known.account().isEmpty()
                && rights.user().isPresent();
        if (own || !rights.mayUseNameOf(known.account())) {
            return Optional.of(new LinkFrame.Refused(
                    LinkFrame.Reason.LOGIN, "the broker " + peer + " has linked with another account"));
        }
        LinkSession before = known.session();
        if (before == null || !before.isOpen()) {
            return Optional.empty();
        }
        if (before.isOpener() == opener) {
            // a broker opens a link anew when it has lost the last one: this is another of its links, or of its name
            return opener || !known.isAlive()
                    ? Optional.empty()
                    : Optional.of(new LinkFrame.Refused(
                            LinkFrame.Reason.LINKED,
                            "a link from broker " + peer + " to " + self
                                    + " stands; expected one, and a name of its own for each broker"));
        }
        boolean mineWins = self.compareTo(peer) < 0;
        return opener == mineWins
                ? Optional.empty()
                : Optional.of(new LinkFrame.Refused(
                        LinkFrame.Reason.LINKED,
                        "there is a link between " + self + " and " + peer + " that the other side opened"));
    }

    private Optional<String> crowd(LinkRights rights) throws Exception {
        int ofAccount = 0;
        for (Neighbour each : neighbours.values()) {
            ofAccount += rights.user().isPresent() && rights.user().equals(each.account()) ? 1 : 0;
        }
        if (ofAccount >= MOST_NAMES_OF_ACCOUNT) {
            return Optional.of("an account may link " + MOST_NAMES_OF_ACCOUNT + " brokers, no more");
        }
        return neighbours.size() < MOST_NEIGHBOURS
                ? Optional.empty()
                : Optional.of(self + " has " + MOST_NEIGHBOURS + " neighbours, no more");
    }
}
