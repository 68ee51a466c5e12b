package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Servers that take files under some names only. */
final class RefusedNamesIT extends OneServer {
    private void refuse(Predicate<String> name) {
        server.on("STOR", (client, path) -> {
            if (name.test(path)) {
                client.say("553 Prohibited file name: " + path);
                return;
            }
            client.say("150 ok");
            server.files.put(path, client.receive());
            client.say("226 ok");
        });
    }

    private List<String> stored() {
        return server.commands().stream()
                .filter(command -> command.startsWith("STOR "))
                .toList();
    }

    private void assertHas(String text) {
        assertThat(server.files).containsOnlyKeys("/f");
        assertThat(server.files.get("/f")).asString(StandardCharsets.UTF_8).isEqualTo(text);
    }

    @Test
    void shouldWriteUnderANameWithoutADotWhenTheServerTakesNoneWithOne() {
        // given
        refuse(path -> path.startsWith("/."));

        // when
        put("hello");
        put("again");

        // then
        assertHas("again");
        assertThat(stored()).hasSize(3);
        assertThat(stored().get(0)).matches("STOR /\\.f\\.lh-[0-9a-f]{16}");
        assertThat(stored().subList(1, 3)).allMatch(command -> command.matches("STOR /f\\.lh-[0-9a-f]{16}"));

        // when
        WriteRequest append = new WriteRequest(FILE, Kind.APPEND, 0, List.of(), Optional.empty());
        Sink sink = backend.write(append).join();
        sink.write(0, bytes("!")).join();
        sink.commit(bytes -> {}).join();

        // then
        assertHas("again!");
    }

    @Test
    void shouldWriteUnderANameWithoutADotWhenTheServerSaysOfOneWithADotThatItMayNotBeRenamed() {
        // given
        refuse(path -> path.startsWith("/."));
        server.on("RNFR", (client, path) -> {
            client.renaming = path;
            String other = server.files.containsKey(path) ? "350 ok" : "550 No such file";
            client.say(path.startsWith("/.") ? "550 Permission denied." : other);
        });

        // when
        put("hello");

        // then
        assertHas("hello");
        assertThat(stored()).singleElement().asString().matches("STOR /f\\.lh-[0-9a-f]{16}");
    }

    @Test
    void shouldRefuseANameOfWhichTheServerLeavesOutWhatCannotBePrinted() {
        // given
        server.on("STOR", (client, path) -> {
            server.files.put(printable(path), bytes("").array());
            client.say("150 ok");
            server.files.put(printable(path), client.receive());
            client.say("226 ok");
        });
        server.on("MLST", (client, path) -> {
            String name = printable(path);
            boolean isThere = name.equals("/") || server.files.containsKey(name);
            String type = name.equals("/") ? "dir" : "file";
            client.say(
                    isThere
                            ? "250-ok\r\n Type=" + type + ";Size=0; " + name + "\r\n250 End"
                            : "550 No such file or directory");
        });

        // when
        Throwable failure = backend.write(WriteRequest.replace(FilePath.of("/f\u007f")))
                .handle((sink, why) -> why)
                .join();

        // then
        assertThat(failure)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_NAME));
    }

    private static String printable(String path) {
        return path.replace("\u007f", "");
    }

    @Test
    void shouldWriteUnderItsOwnNameWhenTheServerTakesNoOther() {
        // given
        refuse(path -> path.contains(".lh-"));

        // when
        put("hello");

        // then
        assertHas("hello");

        // when
        Throwable again = backend.write(WriteRequest.replace(FILE))
                .handle((sink, failure) -> failure)
                .join();

        // then: it would not be there any more if the new one came to nothing
        assertThat(again)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.DENIED));
        assertHas("hello");
    }
}
