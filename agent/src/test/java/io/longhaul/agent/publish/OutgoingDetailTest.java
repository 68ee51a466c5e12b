package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OutgoingDetailTest {
    private static final String WITHOUT_SENT_TO = """
            {"origin":{"kind":"FILE","identity":{"inode":"2","length":3,"modifiedNanos":4,"changedNanos":5},\
            "spool":false,"receipts":1,"symlinks":"RECREATE"},\
            "counters":{"offered":0,"resentPieces":0,"resentBytes":0},\
            "seconds":{"reading":0.0,"sending":0.0,"waiting":0.0},\
            "spooled":false,"announced":true,"cancelDue":false,"reason":""}""";

    @Test
    void shouldReadWhatWasWrittenBeforeItKnewToWhomItWasSent() {
        // when
        OutgoingDetail detail = OutgoingDetail.parse(WITHOUT_SENT_TO);

        // then
        assertThat(detail.sentTo()).isEmpty();
        assertThat(detail.origin().awaited()).isEmpty();
        assertThat(OutgoingDetail.parse(detail.withSentTo(List.of("s1")).json()).sentTo())
                .containsExactly("s1");
    }
}
