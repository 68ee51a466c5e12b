package io.longhaul.gridftp.front;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where clients are told to connect for data. */
final class PassiveIT {
    @TempDir
    private Path place;

    @Test
    void shouldSetUpDataConnectionsByEpsvOnlyWhenTheClientHasSaidSo() {
        try (Fronts front = Fronts.anonymous(place.resolve("root"), Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            // given
            client.expect(227, "PASV");

            // when
            client.expect(200, "EPSV ALL");

            // then
            for (String command : List.of(
                    "PASV",
                    "SPAS",
                    "SPAS 2",
                    "PORT 127,0,0,1,200,1",
                    "EPRT |1|127.0.0.1|51201|",
                    "SPOR 127,0,0,1,200,1")) {
                client.expect(503, command);
            }
            client.expect(229, "EPSV");
        }
    }
}
