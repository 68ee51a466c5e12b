package io.longhaul.gridftp.front;

import org.junit.jupiter.api.Test;

/** Which parameters are refused as what, where the specifications tell failures apart. */
final class ParametersIT extends OneClient {
    @Test
    void shouldTellAMissingParameterFromOneThatIsNotSupportedAsRfc959Section423Says() {
        client.expect(501, "MODE");
        client.expect(504, "MODE B");
        client.expect(501, "STRU");
        client.expect(504, "STRU R");
    }

    @Test
    void shouldTellAnUnknownLevelFromOneThatIsNotSupportedAsRfc2228Section3Says() {
        client.expect(501, "PROT");
        client.expect(504, "PROT X");
        client.expect(536, "PROT E");
        client.expect(536, "PROT P");
        client.expect(200, "PROT C");
    }
}
