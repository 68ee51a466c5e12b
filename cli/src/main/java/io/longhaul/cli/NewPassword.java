package io.longhaul.cli;

import io.longhaul.broker.users.PasswordHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The password that a user is given; never on the command line, where every process of the machine can read it. */
final class NewPassword {
    static final String HELP =
            "The password comes from --password-file, else from the environment's LONGHAUL_PASSWORD, else"
                    + " it is asked for, twice and unseen; where there is no terminal it is the first line of standard input. It is"
                    + " kept as a salted hash.";

    private static final int MOST_BYTES = 64 * 1024;

    @Option(names = "--password-file", paramLabel = "FILE", description = "File whose first line is the password.")
    private @Nullable Path file;

    /** Returns what the users file keeps of it; throws {@link IllegalArgumentException} when there is none. */
    PasswordHash hash(String user, Environment environment) {
        String password = password(user, environment);
        if (password.isEmpty()) {
            throw new IllegalArgumentException(
                    "no password: give --password-file FILE, LONGHAUL_PASSWORD or a line on standard input");
        }
        return PasswordHash.of(password.toCharArray(), new SecureRandom());
    }

    private String password(String user, Environment environment) {
        if (file != null) {
            return ConnectionOptions.firstLine(file);
        }
        if (!environment.variable("LONGHAUL_PASSWORD").isEmpty()) {
            return environment.variable("LONGHAUL_PASSWORD");
        }
        Optional<String> typed = environment.secret().apply("password of " + user + ": ");
        if (typed.isEmpty()) {
            return firstLine(environment);
        }
        if (!typed.get().isEmpty() && !typed.equals(environment.secret().apply("the same again: "))) {
            throw new IllegalArgumentException(
                    "password of " + user + ": expected the same twice, found two different ones");
        }
        return typed.get();
    }

    private static String firstLine(Environment environment) {
        InputStream in = environment.streams().in();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                line.write(next);
                if (line.size() > MOST_BYTES) {
                    throw new IllegalArgumentException(
                            "standard input: expected a line of at most " + MOST_BYTES + " bytes, found a longer one");
                }
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line.toByteArray()))
                    .toString();
            return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("standard input: expected text in UTF-8, found other bytes", e);
        } catch (IOException e) {
            throw new UncheckedIOException("standard input cannot be read", e);
        }
    }
}
