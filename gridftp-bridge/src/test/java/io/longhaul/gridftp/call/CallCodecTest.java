package io.longhaul.gridftp.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.WriteRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CallCodecTest {
    private static final Principal BOB = new Principal("bob", false);
    private static final FilePath PATH = FilePath.of("/a b/\"naïve\" \u4e2d\ud83d\ude00");
    private static final Number128 CONTENT = Number128.of("00112233445566778899aabbccddeeff");
    private static final WriteRequest PART =
            new WriteRequest(PATH, WriteRequest.Kind.OVERLAY, 0, List.of(), Optional.empty());
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final Entry ENTRY = new Entry(
            "\u4e2d",
            Entry.Type.FILE,
            Long.MAX_VALUE,
            TIME,
            true,
            Optional.of(new Entry.Unix(
                    0644,
                    1,
                    "bob",
                    1,
                    "staff",
                    2,
                    "3.4",
                    Optional.of("../x"),
                    Optional.of(Instant.ofEpochSecond(7, 8)))));
    private static final Entry DIRECTORY =
            new Entry("d", Entry.Type.DIRECTORY, 0, Instant.EPOCH, false, Optional.empty());

    static List<Call> calls() {
        WriteRequest request = new WriteRequest(
                PATH,
                WriteRequest.Kind.RESUME,
                9,
                List.of(new ByteRange(0, 3), new ByteRange(5, 8)),
                Optional.of(new WriteRequest.Checksum(ChecksumAlgorithm.SHA256, "AB")));
        Optional<Call.Seal> seal = Optional.of(new Call.Seal(9, -1));
        return List.of(
                new Call.Stat(BOB, PATH),
                new Call.ListDirectory(new Principal("anonymous", true), FilePath.ROOT),
                new Call.MakeDirectory(BOB, PATH),
                new Call.RemoveDirectory(BOB, PATH),
                new Call.DeleteFile(BOB, PATH),
                new Call.Rename(BOB, PATH, FilePath.of("/c")),
                new Call.SetModified(BOB, PATH, TIME),
                new Call.SetMode(BOB, PATH, 0640),
                new Call.Checksum(BOB, PATH, ChecksumAlgorithm.CRC32C, new ByteRange(1, Long.MAX_VALUE)),
                new Call.Deliver(BOB, CONTENT, request, seal, Call.Deliver.End.COMMIT, Long.MIN_VALUE),
                new Call.Deliver(BOB, CONTENT, PART.from(5), Optional.empty(), Call.Deliver.End.OPEN, 7),
                new Call.Deliver(BOB, CONTENT, PART, Optional.empty(), Call.Deliver.End.OPEN, 7),
                new Call.Deliver(BOB, CONTENT, WriteRequest.replace(PATH), Optional.empty(), Call.Deliver.End.OPEN, 7),
                new Call.Fetch(BOB, PATH, List.of(new ByteRange(0, Long.MAX_VALUE))));
    }

    static List<Answer> answers() {
        return List.of(
                new Answer.Working(1L << 40),
                new Answer.Done(),
                new Answer.Found(ENTRY),
                new Answer.Listed(Optional.of(DIRECTORY.withName("")), List.of(ENTRY, DIRECTORY)),
                new Answer.Listed(Optional.empty(), List.of()),
                new Answer.Digits("ff"),
                new Answer.Fetched(CONTENT, ENTRY),
                new Answer.Failed(Code.NOT_LOGGED_IN, "no login"),
                new Answer.Failed(Code.LASTING, "425, 8 times"),
                new Answer.Failed(Code.BAD_CHECKSUM, "/a", List.of("found \u4e2d", "expected b")),
                new Answer.Failed(Code.NOT_FOUND, "/a: no \u4e2d"));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldBeTheSameWhenACallIsReadBack(Call call) {
        Duration age = Duration.ofMillis(2001);

        assertThat(CallCodec.decode(CallCodec.encode(call, age))).isEqualTo(new CallCodec.Sent(call, age));
        assertThat(CallCodec.decode(CallCodec.encode(call))).isEqualTo(new CallCodec.Sent(call, Duration.ZERO));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void shouldBeTheSameAndAsciiWhenAnAnswerIsReadBack(Answer answer) {
        String text = AnswerCodec.encode(answer);

        assertThat(AnswerCodec.decode(text)).isEqualTo(answer);
        assertThat(text).matches("\\p{ASCII}+");
    }

    @Test
    void shouldBeARefusalToOlderEndsWhenThereIsNoLogin() {
        assertThat(AnswerCodec.encode(new Answer.Failed(Code.NOT_LOGGED_IN, "no")))
                .isEqualTo("{\"is\":\"failed\",\"code\":\"denied\",\"message\":\"no\",\"login\":true}");
    }

    @Test
    void shouldBeWhatOlderEndsWaitForWhenTheServerSaysTheSameAgainAndAgain() {
        assertThat(AnswerCodec.encode(new Answer.Failed(Code.LASTING, "425")))
                .isEqualTo("{\"is\":\"failed\",\"code\":\"no-space\",\"message\":\"425\",\"lasting\":true}");
    }

    @Test
    void shouldGoOnWhenANewerEndSaysMore() {
        String text = "{\"do\":\"stat\",\"user\":\"u\",\"anonymous\":true,\"path\":\"/a\",\"colour\":[1]}";

        assertThat(CallCodec.decode(text).call()).isEqualTo(new Call.Stat(new Principal("u", true), FilePath.of("/a")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"do\":\"stat\"",
                "{\"do\":\"fly\",\"user\":\"u\",\"anonymous\":true}",
                "{\"do\":\"stat\",\"user\":1,\"anonymous\":true,\"path\":\"/a\"}",
                "{\"do\":\"stat\",\"user\":\"u\",\"anonymous\":1,\"path\":\"/a\"}",
                "{\"do\":\"stat\",\"user\":\"u\",\"anonymous\":true,\"path\":\"/a/../b\"}",
                "{\"do\":\"stat\",\"user\":\"u\",\"anonymous\":true,\"path\":\"a\"}",
                "{\"do\":\"stat\",\"user\":\"u\",\"anonymous\":true,\"path\":\"/a\\u0000\"}",
                "{\"do\":\"stat\",\"do\":\"list\",\"user\":\"u\",\"anonymous\":true,\"path\":\"/a\"}",
                "{\"do\":\"fetch\",\"user\":\"u\",\"anonymous\":true,\"path\":\"/a\",\"ranges\":[{\"start\":2,\"end\":1}]}",
                "{\"do\":\"fetch\",\"user\":\"u\",\"anonymous\":true,\"path\":\"/a\",\"ranges\":[{\"start\":-2,\"end\":1}]}"
            })
    void shouldRefuseWhenACallBreaksARule(String text) {
        assertThatThrownBy(() -> CallCodec.decode(text))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void shouldWriteAListingAsOlderEndsReadIt() {
        assertThat(AnswerCodec.encode(new Answer.Listed(Optional.empty(), List.of(ENTRY, DIRECTORY))))
                .isEqualTo("{\"is\":\"listed\",\"entries\":[{\"name\":\"\\u4E2D\",\"type\":\"file\","
                        + "\"length\":9223372036854775807,\"modified\":\"2026-01-02T03:04:05.678Z\",\"writable\":true,"
                        + "\"unix\":{\"mode\":420,\"links\":1,\"owner\":\"bob\",\"uid\":1,\"group\":\"staff\",\"gid\":2,"
                        + "\"unique\":\"3.4\",\"link\":\"../x\","
                        + "\"changed\":\"1970-01-01T00:00:07.000000008Z\"}},{\"name\":\"d\",\"type\":\"directory\",\"length\":0,"
                        + "\"modified\":\"1970-01-01T00:00:00Z\",\"writable\":false}]}");
    }

    @Test
    void shouldReadAListingWhenANewerEndSaysMoreAndInAnotherOrder() {
        assertThat(AnswerCodec.decode("{\"colour\":[{\"a\":1}],\"entries\":[{\"more\":{\"b\":[2]},\"writable\":false,"
                        + "\"modified\":\"1970-01-01T00:00:00Z\",\"length\":0,\"type\":\"directory\",\"name\":\"d\"}],"
                        + "\"is\":\"listed\"}"))
                .isEqualTo(new Answer.Listed(Optional.empty(), List.of(DIRECTORY)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"is\":\"done\"",
                "{\"is\":\"done\"}{}",
                "{\"is\":\"done\",\"is\":\"done\"}",
                "{\"is\":\"flown\"}",
                "{\"is\":\"listed\"}",
                "{\"is\":\"listed\",\"entries\":{}}",
                "{\"is\":\"listed\",\"entries\":[1]}",
                "{\"is\":\"listed\",\"entries\":[],\"entries\":[]}",
                "{\"is\":\"listed\",\"entries\":[{\"name\":\"a\",\"name\":\"b\"}]}",
                "{\"is\":\"found\",\"entry\":{\"name\":\"a\",\"type\":\"file\",\"length\":0,\"writable\":true}}",
                "{\"is\":\"found\",\"entry\":{\"name\":\"a\",\"type\":\"tree\"}}",
                "{\"is\":\"found\",\"entry\":{\"name\":null}}",
                "{\"is\":\"found\",\"entry\":{\"length\":-1}}",
                "{\"is\":\"found\",\"entry\":{\"length\":9223372036854775808}}",
                "{\"is\":\"found\",\"entry\":{\"modified\":\"today\"}}",
                "{\"is\":\"found\",\"entry\":{\"writable\":1}}",
                "{\"is\":\"found\",\"entry\":{\"unix\":{\"mode\":1}}}",
                "{\"is\":\"failed\",\"code\":\"denied\",\"message\":\"no\",\"details\":[1]}"
            })
    void shouldRefuseWhenAnAnswerBreaksARule(String text) {
        assertThatThrownBy(() -> AnswerCodec.decode(text))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void shouldRefuseWhenANameOfAnEntryLeavesItsDirectory() {
        String text = AnswerCodec.encode(new Answer.Found(ENTRY.withName("x"))).replace("\"x\"", "\"../x\"");

        assertThatThrownBy(() -> AnswerCodec.decode(text))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("'../x'");
    }
}
