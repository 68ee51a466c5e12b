package io.longhaul.broker.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteHostTest {
    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.7:4711", "/192.0.2.7:4711", "a.example/192.0.2.7:4711", "192.0.2.7"})
    void shouldSpellAHostInOneWayHoweverItIsWritten(String address) {
        // when, then
        assertThat(RemoteHost.of(address)).isEqualTo("192.0.2.7");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1", "::1, 0:0:0:0:0:0:0:1"})
    void shouldSpellTheHostOfASocketAsItsAddressDoes(String literal, String expected) {
        // given
        InetSocketAddress socket = new InetSocketAddress(literal, 4711);

        // when
        String host = RemoteHost.of(socket.toString());

        // then
        assertThat(host).isEqualTo(socket.getAddress().getHostAddress()).isEqualTo(expected);
    }
}
