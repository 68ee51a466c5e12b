package io.longhaul.ptcp.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpProxyTest {
    @Test
    void shouldReadHostAndPortWhenItIsAUrl() {
        assertThat(HttpProxy.parse("http://proxy.example:3128"))
                .isEqualTo(new HttpProxy("proxy.example", 3128, "", ""));
        assertThat(HttpProxy.parse("HTTP://10.0.0.1:80/")).isEqualTo(new HttpProxy("10.0.0.1", 80, "", ""));
        assertThat(HttpProxy.parse("http://[2001:db8::1]:8080")).isEqualTo(new HttpProxy("2001:db8::1", 8080, "", ""));
    }

    @Test
    void shouldShowNeitherUserNorPasswordWhenPrinted() {
        // given
        HttpProxy proxy = HttpProxy.parse("http://[::1]:3128").withCredentials("agnes", "geheim");

        // when
        String shown = proxy + "";

        // then
        assertThat(shown).isEqualTo("[::1]:3128");
        assertThat(proxy.user()).isEqualTo("agnes");
        assertThat(proxy.password()).isEqualTo("geheim");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://agnes:geheim@proxy:3128", "https://agnes:geheim@proxy:3128", "agnes:geheim@proxy"})
    void shouldNameTheVariablesAndNotTheSecretWhenAUrlHoldsCredentials(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpProxy.parse(url))
                .withMessageContaining("LONGHAUL_PROXY_USER")
                .withMessageContaining("LONGHAUL_PROXY_PASSWORD")
                .withMessageNotContainingAny("agnes", "geheim");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "proxy:3128",
                "https://proxy:3128",
                "socks5://proxy:1080",
                "http://proxy",
                "http://proxy:",
                "http://proxy:http",
                "http://::1:3128",
                "http://proxy:3128/path"
            })
    void shouldSayWhatIsExpectedWhenItIsAnotherUrl(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpProxy.parse(url))
                .withMessageContaining("expected http://host:port")
                .withMessageEndingWith("found " + url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://:3128",
                "http://pro\r\nxy:3128",
                "http://pro xy:3128",
                "http://[1:2]:3128",
                "http://[fe80::1%eth0]:3128",
                "http://bücher.example:3128",
                "http://proxy:0",
                "http://proxy:65536"
            })
    void shouldRefuseWhenHostOrPortCannotStandInARequest(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpProxy.parse(url))
                .withMessageContaining("expected")
                .withMessageNotContainingAny("\r", "\n");
    }

    @Test
    void shouldRefuseWhenCredentialsCannotBeSent() {
        HttpProxy proxy = HttpProxy.parse("http://proxy:3128");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> proxy.withCredentials("ag:nes", "geheim"))
                .withMessageNotContaining("nes");
        assertThatIllegalArgumentException().isThrownBy(() -> proxy.withCredentials("agnes\r\n", "geheim"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> proxy.withCredentials("agnes", "geh\neim"))
                .withMessageNotContaining("eim");
    }
}
