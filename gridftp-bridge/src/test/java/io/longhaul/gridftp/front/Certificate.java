package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.FrontConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate that openssl makes: {@code front.crt} and {@code front.key} in a directory. */
record Certificate(Path directory) {
    static Certificate in(Path directory) {
        List<String> command = List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-subj",
                "/CN=front",
                "-keyout",
                directory.resolve("front.key").toString(),
                "-out",
                directory.resolve("front.crt").toString());
        try {
            Process openssl = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("openssl.log").toFile())
                    .start();
            assertThat(openssl.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(openssl.exitValue()).isZero();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return new Certificate(directory);
    }

    FrontConfig over(FrontConfig config) {
        return FrontTls.with(config, directory.resolve("front.crt"), directory.resolve("front.key"), false);
    }
}
