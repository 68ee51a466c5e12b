package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.state.AgentName;
import io.longhaul.gridftp.spi.Backend;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BridgeMountsTest {
    private static Backend none() {
        return (Backend) Proxy.newProxyInstance(
                BridgeMountsTest.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> null);
    }

    @Test
    void shouldOpenEachMountAsAnotherOwnerWhenTheyAreOnOneServer() {
        // given
        List<String> owners = new ArrayList<>();

        // when
        try (BridgeMounts mounts =
                BridgeMounts.open(BridgeMounts.parse(List.of("/a=ftp://h/", "/b=ftp://h/")), (option, url, path) -> {
                    owners.add(AgentName.ofMount("127.0.0.1:2811", path.toString()));
                    return none();
                })) {
            assertThat(mounts.paths()).containsExactlyInAnyOrder("/a", "/b");
        }

        // then
        assertThat(owners).hasSize(2).doesNotHaveDuplicates();
    }
}
