package io.longhaul.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority that openssl makes, and what it signs; PEM files in one directory. */
public final class Certificates {
    private final Path directory;
    private final String name;

    private Certificates(Path directory, String name) {
        this.directory = directory;
        this.name = name;
    }

    public static Certificates authority(Path directory, String name) throws IOException, InterruptedException {
        Certificates made = new Certificates(directory, name);
        openssl(made.key(name), made.certificate(name), name, "basicConstraints=critical,CA:TRUE", List.of());
        return made;
    }

    /** Signs a certificate for names as openssl writes them, {@code DNS:localhost,IP:127.0.0.1}. */
    public Certificates sign(String subject, String names) throws IOException, InterruptedException {
        List<String> signer =
                List.of("-CA", ca().toString(), "-CAkey", key(name).toString());
        openssl(key(subject), certificate(subject), subject, "subjectAltName=" + names, signer);
        Files.writeString(both(subject), Files.readString(key(subject)) + Files.readString(certificate(subject)));
        return this;
    }

    public Path ca() {
        return certificate(name);
    }

    public Path certificate(String subject) {
        return directory.resolve(subject + ".crt");
    }

    public Path key(String subject) {
        return directory.resolve(subject + ".key");
    }

    /** Key and certificate in one file. */
    Path both(String subject) {
        return directory.resolve(subject + ".pem");
    }

    private static void openssl(Path key, Path certificate, String subject, String extension, List<String> signer)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-newkey", "ec"));
        command.addAll(List.of("-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"));
        command.addAll(List.of("-subj", "/CN=" + subject, "-addext", extension));
        command.addAll(List.of("-keyout", key.toString(), "-out", certificate.toString()));
        command.addAll(signer);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }
}
