package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.BindingType;
import org.apache.activemq.artemis.core.postoffice.Bindings;
import org.apache.activemq.artemis.core.postoffice.PostOffice;
import org.junit.jupiter.api.Test;

class LocalQueuesTest {
    private static final SimpleString ADDRESS = SimpleString.of("lh.topic.t");

    private static <T> T answering(Class<T> type, Map<String, ?> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, words) -> answers.get(method.getName())));
    }

    private static PostOffice with(boolean says, BindingType... types) {
        List<Binding> all = List.of(types).stream()
                .map(type -> answering(Binding.class, Map.of("getType", type)))
                .toList();
        Bindings bindings = answering(Bindings.class, Map.of("getBindings", all, "hasLocalBinding", says));
        return answering(PostOffice.class, Map.of("lookupBindingsForAddress", bindings));
    }

    /** As while the queue of a neighbour goes. */
    @Test
    void shouldFindTheQueueWhenArtemisSaysForAMomentThatThereIsNone() throws Exception {
        assertThat(LocalQueues.areAt(with(false, BindingType.LOCAL_QUEUE), ADDRESS))
                .isTrue();
    }

    @Test
    void shouldFindNoneWhenThereIsNone() throws Exception {
        assertThat(LocalQueues.areAt(with(true), ADDRESS)).isFalse();
        assertThat(LocalQueues.areAt(with(true, BindingType.REMOTE_QUEUE), ADDRESS))
                .isFalse();
        assertThat(LocalQueues.areAt(answering(PostOffice.class, Map.of()), ADDRESS))
                .isFalse();
    }
}
