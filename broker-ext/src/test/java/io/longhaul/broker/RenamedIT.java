package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A data directory that is opened under another name. */
class RenamedIT extends OneNetwork {
    private BrokerConfig named(String name) {
        return BrokerConfig.of(name, directory.resolve("leaf")).withListen("127.0.0.1:0");
    }

    @Test
    void shouldRefuseTheDataOfAnotherNameWhenNeighboursKnowThat() throws Exception {
        // given
        Broker hub = brokers.launch(brokers.config("hub"));
        BrokerConfig.Links links = Brokers.to(hub);
        try (Broker leaf = Broker.launch(named("leaf").withLinks(links))) {
            await().until(() -> !leaf.snapshot().links().isEmpty());
        }

        // when then
        assertThatThrownBy(() -> Broker.launch(named("other").withLinks(links)))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(BrokerException.Code.BAD_CONFIG))
                .hasMessage("data " + directory.resolve("leaf")
                        + ": expected that of broker other, found that of broker leaf, for which hub keeps what waits;"
                        + " give another --data, or the --name that it had");

        // then
        Broker again = brokers.launch(named("leaf").withLinks(links));
        await().until(() -> again.snapshot().links().stream().anyMatch(BrokerSnapshot.LinkSnapshot::up));
    }

    @Test
    void shouldTakeAnotherNameWhenNobodyKnowsTheOldOne() {
        // given
        Broker.launch(named("leaf")).close();

        // when
        Broker.launch(named("other")).close();

        // then
        brokers.launch(named("leaf"));
    }
}
