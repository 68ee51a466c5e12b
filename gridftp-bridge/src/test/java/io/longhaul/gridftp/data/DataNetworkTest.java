package io.longhaul.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.AddressBlock;
import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.PortRange;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DataNetworkTest {
    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(literal));
    }

    private static DataNetwork of(String client, AddressBlock... thirdParties) throws UnknownHostException {
        return new DataNetwork(
                new EmbeddedChannel().eventLoop(),
                address(client),
                address(client),
                List.of(thirdParties),
                PortRange.ANY,
                FrontLimits.defaults(),
                new Random(1));
    }

    @Test
    void shouldTakeNoOtherAddressOfTheLoopbackNetworkForTheClient() throws UnknownHostException {
        DataNetwork network = of("127.0.0.1");

        assertThat(network.mayComeFrom(address("127.0.0.1"))).isTrue();
        assertThat(network.mayComeFrom(address("127.0.0.2"))).isFalse();
        assertThat(network.mayGoTo(new InetSocketAddress(address("127.0.0.2"), 5000)))
                .isFalse();
        assertThat(of("127.0.0.2").mayComeFrom(address("127.0.0.1"))).isFalse();
        assertThat(of("127.0.0.2").mayComeFrom(address("127.0.0.2"))).isTrue();
    }

    @Test
    void shouldTakeBothFormsOfLocalhostForOneClient() throws UnknownHostException {
        assertThat(of("127.0.0.1").mayComeFrom(address("::1"))).isTrue();
        assertThat(of("::1").mayComeFrom(address("127.0.0.1"))).isTrue();
        assertThat(of("::1").mayComeFrom(address("127.0.0.2"))).isFalse();
    }

    @Test
    void shouldConnectFromTheAddressThatTheClientCameToOnlyWhereThatCanBe() throws UnknownHostException {
        assertThat(of("127.0.0.1").canReach(address("127.0.0.1"))).isTrue();
        assertThat(of("127.0.0.1").canReach(address("192.0.2.1"))).isFalse();
        assertThat(of("192.0.2.1").canReach(address("127.0.0.1"))).isTrue();
        assertThat(of("192.0.2.1").canReach(address("192.0.2.2"))).isTrue();
        assertThat(of("192.0.2.1").canReach(address("2001:db8::1"))).isFalse();
        assertThat(of("::1").canReach(address("127.0.0.1"))).isFalse();
    }

    @Test
    void shouldTakeAnotherLoopbackAddressWhenItIsAThirdParty() throws UnknownHostException {
        DataNetwork network = of("127.0.0.1", AddressBlock.parse("127.0.0.2"));

        assertThat(network.mayComeFrom(address("127.0.0.2"))).isTrue();
        assertThat(network.mayComeFrom(address("127.0.0.3"))).isFalse();
    }
}
