package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.Accounts;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who logs in without being anybody, beside those who are somebody. */
final class AnonymousLoginIT {
    @TempDir
    private Path place;

    @Test
    void shouldAskForThePasswordOfFtpWhenThatIsAUser() {
        // given
        Accounts both = new Accounts() {
            @Override
            public boolean allowsAnonymous() {
                return true;
            }

            @Override
            public boolean isSomebody(String user) {
                return user.equals("ftp");
            }

            @Override
            public boolean matches(String user, char[] password) {
                return user.equals("ftp") && new String(password).equals("secret");
            }
        };
        try (Fronts front = Fronts.of(place.resolve("root"), Fronts.config(), both);
                FtpClient client = FtpClient.connect(front.port())) {
            // then
            client.expect(331, "USER ftp");
            client.expect(530, "PASS guest@");
            client.expect(331, "USER ftp");
            assertThat(client.expect(230, "PASS secret")).contains("ftp");
        }
        try (Fronts front = Fronts.of(place.resolve("root"), Fronts.config(), both);
                FtpClient client = FtpClient.connect(front.port())) {
            client.expect(331, "USER anonymous");
            client.expect(230, "PASS guest@");
        }
    }
}
