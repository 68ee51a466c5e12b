package io.longhaul.it.gridftp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPFile;

/**
 * What programs do that use commons-net, once, in a directory of a server: {@code URL IN LOCAL}. Prints what they are
 * told; {@code it/interop/scenarios} compares it.
 */
final class CommonsNetProgram {
    private static final int HALF = 700_000;

    private final FTPClient client = new FTPClient();
    private final Path in;
    private final Path local;

    private CommonsNetProgram(Path in, Path local) {
        this.in = in;
        this.local = local;
    }

    public static void main(String[] arguments) throws IOException {
        CommonsNetProgram program = new CommonsNetProgram(Path.of(arguments[1]), Path.of(arguments[2]));
        URI url = URI.create(arguments[0]);
        program.client.connect(url.getHost(), url.getPort());
        program.say("login", program.client.login("anonymous", "it@localhost"));
        program.client.setFileType(FTP.BINARY_FILE_TYPE);
        program.say("cwd", program.client.changeWorkingDirectory(url.getPath()));
        program.client.enterLocalPassiveMode();
        program.upload();
        program.download();
        program.names();
        program.refusals();
        program.say("logout", program.client.logout());
    }

    private void say(String what, Object found) {
        System.out.println(what + " " + found);
    }

    private void upload() throws IOException {
        try (InputStream file = Files.newInputStream(in.resolve("f"))) {
            say("store", client.storeFile("f", file));
        }
        for (String name : new String[] {"half", "text"}) {
            try (InputStream part = Files.newInputStream(in.resolve(name))) {
                say("append", client.appendFile("appended", part));
            }
        }
        try (InputStream half = Files.newInputStream(in.resolve("f"))) {
            say("first half", client.storeFile("resumed", new ByteArrayInputStream(half.readNBytes(HALF))));
            client.setRestartOffset(HALF);
            say("second half", client.storeFile("resumed", half));
        }
    }

    private void download() throws IOException {
        get("passive", 0);
        get("resumed", HALF);
        client.enterLocalActiveMode();
        get("active", 0);
        client.enterLocalPassiveMode();
    }

    private void get(String name, long from) throws IOException {
        try (OutputStream file = Files.newOutputStream(local.resolve(name))) {
            client.setRestartOffset(from);
            say(name, client.retrieveFile("f", file));
        }
    }

    private void names() throws IOException {
        say("mkd", client.makeDirectory("d"));
        say("rename", client.rename("appended", "d/g"));
        say("mfmt", client.setModificationTime("f", "20200101020304"));
        say("mdtm", client.mdtmInstant("f"));
        say("size", client.getSize("f"));
        // a Globus server lists . and .., and ends lines in such a way that there is an empty one behind each
        say("NLST", sorted(Arrays.stream(client.listNames())));
        say("LIST", entries(client.listFiles()));
        say("MLSD", entries(client.mlistDir()));
        say("MLST", client.mlistFile("f").getSize());
        say("chmod", client.sendSiteCommand("CHMOD 640 f"));
        say("dele", client.deleteFile("d/g"));
        say("rmd", client.removeDirectory("d"));
    }

    private static String entries(FTPFile[] files) {
        return sorted(Arrays.stream(files)
                .filter(Objects::nonNull)
                .map(file -> file.getName() + (file.isDirectory() ? "/" : " " + file.getSize())));
    }

    private static String sorted(Stream<String> names) {
        return names.filter(name -> !name.isBlank() && !name.matches("\\.\\.?/?"))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private void refusals() throws IOException {
        say("no such file", client.deleteFile("none"));
        say("no such directory", client.changeWorkingDirectory("none"));
        say("rename nothing", client.rename("none", "g"));
        say("get nothing", client.retrieveFile("none", OutputStream.nullOutputStream()));
    }
}
