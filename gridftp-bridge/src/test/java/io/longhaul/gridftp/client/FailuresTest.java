package io.longhaul.gridftp.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FailuresTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "550 | GlobusError: v=1 c=PATH_NOT_FOUND | NOT_FOUND",
                "553 | GlobusError: v=1 c=PATH_EXISTS | EXISTS",
                "500 | globus_xio: System error in open: No such file or directory | NOT_FOUND",
                "500 | globus_xio: System error in write: No space left on device | NO_SPACE",
                "500 | an end-of-file was reached | UNAVAILABLE",
                "451 | GlobusError: v=1 c=INTERNAL_ERROR Directory not empty | NOT_EMPTY",
                "550 | Create directory operation failed. | DENIED",
                "550 | f: Is a directory | IS_A_DIRECTORY",
                "550 | f: not a regular file | IS_A_DIRECTORY",
                "451 | f: Append/Restart not permitted, try again | BAD_RANGE",
                "452 | disk full | NO_SPACE",
                "451 | Failure writing to local file. | NO_SPACE",
                "421 | Timeout. | UNAVAILABLE",
                "426 | Failure writing network stream. | UNAVAILABLE",
                "425 | Unable to build data connection: Operation not permitted | UNAVAILABLE",
                "425 | No such file or directory | UNAVAILABLE",
                "426 | Transfer aborted. Permission denied | UNAVAILABLE",
                "426 | Transfer aborted. No space left on device | NO_SPACE",
                "450 | f: No such file or directory | NOT_FOUND",
                "530 | Sorry, the maximum number of clients is already connected. | UNAVAILABLE",
                "500 | 'CKSM' not understood | UNSUPPORTED",
                "504 | not for this file | UNSUPPORTED",
                "550 | Anonymous users are not allowed to move/rename files | DENIED",
                "500 | System error in open: Too many open files | UNAVAILABLE",
                "550 | /too many users/file exists: Permission denied | DENIED",
                "550 | /d/f No space left on device (errno: 28) | NO_SPACE",
                "500 | Too many transfers, try later | UNAVAILABLE",
                "550 | Can't open /d/no such file: Permission denied | DENIED",
                "451 | GlobusError: v=1 c=INTERNAL_ERROR GridFTP-Error-String: Invalid argument | FAILED",
                "501 | hm | FAILED"
            })
    void shouldKnowWhatAReplyMeansWhenServersSayItInTheirWays(int code, String text, Code meaning) {
        assertThat(Failures.code(Reply.of(code, text))).isEqualTo(meaning);
    }

    @Test
    void shouldTellAServerThatIsAwayFromOneThatRefuses() {
        assertThat(Failures.lost("/f", new IOException("Connection reset")).isAway())
                .isTrue();
        assertThat(Failures.late("/f", Duration.ofSeconds(1)).isAway()).isTrue();
        assertThat(Failures.lost("/f", new SSLException("handshake", new CertificateException("no path")))
                        .isAway())
                .isFalse();
        assertThat(Failures.lost("/f", new SSLException("Received fatal alert: protocol_version"))
                        .isAway())
                .isFalse();
        assertThat(Failures.lost(
                                "/f",
                                new SSLException(
                                        "The server selected protocol version TLS10 is not accepted by client preferences"))
                        .isAway())
                .isFalse();
        assertThat(Failures.lost("/f", new SSLException("Connection closed while a handshake was in progress"))
                        .isAway())
                .isTrue();
        assertThat(Failures.of("/f", Reply.of(450, "busy")).isAway()).isFalse();
        assertThat(Failures.ofLogin("login", Reply.of(530, "Too many sessions."))
                        .isAway())
                .isTrue();
        assertThat(Failures.ofLogin("login", Reply.of(530, "Login incorrect.")).isAway())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "530 | Login incorrect. | NOT_LOGGED_IN",
                "430 | Invalid user name or password | NOT_LOGGED_IN",
                "500 | AUTH not understood | NOT_LOGGED_IN",
                "530 | Sorry, the maximum number of clients (5) for this user already connected. | UNAVAILABLE",
                "530 | Too many sessions. | UNAVAILABLE",
                "530 | There are too many connected users, please try later. | UNAVAILABLE",
                "530 | Too many simultaneous logins, please try later. | UNAVAILABLE",
                "530 | Too many users, your login attempt was refused. | UNAVAILABLE",
                "530 | Too many failed logins. | NOT_LOGGED_IN",
                "530 | Maximum number of login attempts exceeded. | NOT_LOGGED_IN",
                "530 | Too many login failures from this user | NOT_LOGGED_IN",
                "500 | FTP server shut down (maintenance) -- please try again later | UNAVAILABLE",
                "431 | TLS is not to be had now | UNAVAILABLE"
            })
    void shouldTellARefusedLoginFromOneThatMayWorkLater(int code, String text, Code meaning) {
        assertThat(Failures.ofLogin("login", Reply.of(code, text)).code()).isEqualTo(meaning);
    }

    @Test
    void shouldRefuseWhenNobodyTrustsTheCertificate() {
        IOException distrusted = new SSLException("handshake", new CertificateException("no path to a root"));

        assertThat(Failures.ofHandshake(Failures.lost("TLS", distrusted)).code())
                .isEqualTo(Code.NOT_LOGGED_IN);
        assertThat(Failures.ofHandshake(Failures.lost("TLS", new SSLException("ended")))
                        .code())
                .isEqualTo(Code.UNAVAILABLE);
    }

    @Test
    void shouldKeepTheServersWordsOnOneLine() {
        Reply reply = Reply.of(550, "first\u001b[2J", List.of(" second"), "End.");

        BackendException failure = Failures.of("/f", reply);

        assertThat(failure).hasMessage("/f: the server said 550 first?[2J / second / End.");
    }
}
