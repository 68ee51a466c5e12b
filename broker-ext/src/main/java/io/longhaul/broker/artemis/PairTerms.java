package io.longhaul.broker.artemis;

import io.longhaul.ptcp.artemis.PtcpParameters;
import java.util.Optional;

/**
 * How a broker is one of a pair.
 *
 * @param backup whether it begins as the backup
 * @param partner where the other one listens, and how it is reached
 * @param witness who decides between them; none for the operator
 * @param user account of both at each other and at the witness; empty for none
 * @param takeOver whether the operator says that it is to live
 */
public record PairTerms(
        boolean backup,
        PtcpParameters partner,
        Optional<PtcpParameters> witness,
        String user,
        String password,
        boolean takeOver) {
    @Override
    public String toString() {
        return "PairTerms[backup=" + backup + ", partner=" + partner.place() + ", user=" + user + ", takeOver="
                + takeOver + "]";
    }
}
