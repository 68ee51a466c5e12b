package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerUrlTest {

    @Test
    void shouldTakeHostAndPort() {
        // when
        BrokerUrl url = BrokerUrl.parse("broker.example:7400");

        // then
        assertThat(url).isEqualTo(new BrokerUrl("broker.example", 7400, true, 0, false, "", "", true, ""));
    }

    @Test
    void shouldTakeTlsParameters() {
        // when
        BrokerUrl url = BrokerUrl.parse("tcp://[::1]:7400?tls=true&ca=/etc/ca%20one.pem&verify-host=false");

        // then
        assertThat(url).isEqualTo(new BrokerUrl("::1", 7400, false, 0, true, "/etc/ca one.pem", "", false, ""));
    }

    @Test
    void shouldTakeParallelTcpWhenOnlyTheProxyHasAScheme() {
        // when
        BrokerUrl url = BrokerUrl.parse("host:7400?proxy=http://squid:3128");

        // then
        assertThat(url).isEqualTo(new BrokerUrl("host", 7400, true, 0, false, "", "", true, "http://squid:3128"));
    }

    @Test
    void shouldTakeParametersOfParallelTcp() {
        // when
        BrokerUrl url = BrokerUrl.parse("ptcp://host:7400?streams=4&proxy=http://squid:3128");

        // then
        assertThat(url).isEqualTo(new BrokerUrl("host", 7400, true, 4, false, "", "", true, "http://squid:3128"));
    }

    @Test
    void shouldGiveAllTheSameParametersWhenThereAreSeveral() {
        // when
        List<BrokerUrl> urls = BrokerUrl.parseAll("ptcp://one:7400,[::1]:7401?tls=true&ca=/etc/a,b.pem");

        // then
        assertThat(urls)
                .containsExactly(
                        new BrokerUrl("one", 7400, true, 0, true, "/etc/a,b.pem", "", true, ""),
                        new BrokerUrl("::1", 7401, true, 0, true, "/etc/a,b.pem", "", true, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "one:1,", ",one:1", "one:1,two", "one:1,tcp://two:2", "ptcp://one:1,tcp://two:2"})
    void shouldRefuseAListWhenAnyPartOfItIsNoBrokerUrl(String text) {
        // when / then
        assertThatThrownBy(() -> BrokerUrl.parseAll(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("broker URL: expected HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "host:0",
                "host:70000",
                "http://host:80",
                "tcp://host:1?tls=yes",
                "tcp://host:1?streams=4",
                "ptcp://host:1?strems=4",
                "ptcp://host:1?streams=0",
                "ptcp://host:1?streams=65",
                "ptcp://host:1?streams=many",
                "tcp://host:1?tls",
                "host:1?",
                "host:1?streams=4&streams=5",
                "host:1/path",
                "host:1#part",
                "host:1?ca=/etc/ca.pem",
                "tcp://host:1?cert=/etc/cert.pem",
                "host:1?verify-host=false",
                "a b:1"
            })
    void shouldRefuseWhatIsNoBrokerUrl(String text) {
        // when / then
        assertThatThrownBy(() -> BrokerUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("broker URL: expected HOST:PORT");
    }

    @Test
    void shouldTakeFilesOfTlsWhenItIsSwitchedOffInSoManyWords() {
        // when / then
        assertThat(BrokerUrl.parse("host:1/?tls=false&ca=/etc/ca.pem").tls()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://user:secret@host:1",
                "user:secret@host:1?streams=4",
                "user:se@secret@host_1:1",
                "tcp://user:secret@host:99999999999",
                "tcp://user:secret=1@host:1",
                "user:1&secret=1@host:1",
                "tcp://user:secret@1@host:1",
                "tcp://user:se secret@host:1",
                "tcp://user:a?secret@host:1",
                "tcp://user:1?secret@host:1",
                "tcp://user:1?secret=1&tls=true@host:1",
                "tcp://user:99123?b@host:1",
                "tcp://user:secret?a@host:1",
                "user:secret,a@host:1"
            })
    void shouldNotRepeatAPasswordInItsRefusal(String text) {
        // when / then
        assertThatThrownBy(() -> BrokerUrl.parseAll(text))
                .hasMessageContaining("...@host")
                .hasMessageNotContainingAny("secret", "99123")
                .hasMessageContaining("carries a user");
    }

    @Test
    void shouldNotRepeatAPasswordAmongParameters() {
        // when / then
        assertThatThrownBy(() -> BrokerUrl.parse("tcp://host:1?user=me&password=secret&tls=true"))
                .hasMessageContaining("?user=me&password=...&tls=true: unknown parameter user")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> BrokerUrl.parse("tcp://host:1?keyStorePassword=a;secret&a=b"))
                .hasMessageContaining("?keyStorePassword=...&a=b: ")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldNotRepeatAPasswordOfAProxy() {
        // when / then
        assertThatThrownBy(() -> BrokerUrl.parse("host:1?proxy=http://user:secret@proxy:1&steams=1"))
                .hasMessageContaining("http://...@proxy:1")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:99999, 'the port is 99999, expected 1..65535'",
        "ptcp://[::1]:0, 'the port is 0, expected 1..65535'",
        "host:99999999999, 'the port is 99999999999, expected 1..65535'",
        "my_host:7400, 'the host is my_host, expected an address'",
        "::1:7400, 'the host is ::1, expected an address, of IPv6 in brackets'",
        "host, host or port is missing",
        ":7400, host or port is missing",
        "PTCP://host:7400, the scheme is PTCP",
        "host:7400?tls, tls has no value"
    })
    void shouldSayWhetherHostOrPortIsWrong(String text, String why) {
        // when / then
        assertThatThrownBy(() -> BrokerUrl.parse(text)).hasMessageContaining("found " + text + ": " + why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void shouldSayThatNoneWasGivenWhenThereIsNothing(String text) {
        // when / then
        assertThatThrownBy(() -> BrokerUrl.parse(text)).hasMessageEndingWith(", found none");
        assertThatThrownBy(() -> BrokerUrl.parseAll(text)).hasMessageEndingWith(", found none");
    }

    @Test
    void shouldShowAllPlacesWhenOneIsMissing() {
        // when / then
        assertThatThrownBy(() -> BrokerUrl.parseAll("host:7400,?tls=true"))
                .hasMessageEndingWith("found host:7400,?tls=true: host or port is missing");
    }
}
