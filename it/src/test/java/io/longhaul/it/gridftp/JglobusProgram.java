package io.longhaul.it.gridftp;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.globus.ftp.ChecksumAlgorithm;
import org.globus.ftp.DataChannelAuthentication;
import org.globus.ftp.DataSink;
import org.globus.ftp.DataSinkStream;
import org.globus.ftp.DataSource;
import org.globus.ftp.DataSourceStream;
import org.globus.ftp.FileInfo;
import org.globus.ftp.FileRandomIO;
import org.globus.ftp.GridFTPClient;
import org.globus.ftp.GridFTPSession;
import org.globus.ftp.MlsxEntry;
import org.globus.ftp.RetrieveOptions;
import org.globus.ftp.Session;
import org.globus.ftp.StreamModeRestartMarker;
import org.globus.ftp.exception.FTPException;
import org.globus.ftp.exception.ServerException;

/**
 * What programs do that use jglobus, once, in a directory of a server: {@code URL IN LOCAL}. Prints what they are told;
 * {@code it/interop/scenarios} compares it.
 */
final class JglobusProgram {
    private static final int HALF = 700_000;
    private static final int PARALLELISM = 2;

    /** How often it looks for replies; its own 2 s are most of the time otherwise. */
    private static final int LOOK_MILLIS = 20;

    private final GridFTPClient client;
    private final Path in;
    private final Path local;

    private JglobusProgram(GridFTPClient client, Path in, Path local) {
        this.client = client;
        this.in = in;
        this.local = local;
    }

    public static void main(String[] arguments) throws IOException, FTPException {
        URI url = URI.create(arguments[0]);
        JglobusProgram program = new JglobusProgram(open(url), Path.of(arguments[1]), Path.of(arguments[2]));
        program.blocks();
        program.stream();
        program.names();
        program.thirdParty(open(url));
        program.refusals();
        program.client.close();
        // its threads wait for more to do
        System.exit(0);
    }

    private static GridFTPClient open(URI url) throws IOException, ServerException {
        GridFTPClient client = new GridFTPClient(url.getHost(), url.getPort());
        client.setClientWaitParams(Session.DEFAULT_MAX_WAIT, LOOK_MILLIS);
        client.authorize("anonymous", "it@localhost");
        client.setDataChannelAuthentication(DataChannelAuthentication.NONE);
        client.setType(Session.TYPE_IMAGE);
        client.changeDir(url.getPath());
        return client;
    }

    private static void say(String what, Object found) {
        System.out.println(what + " " + found);
    }

    private DataSource source(String name) throws IOException {
        return new FileRandomIO(new RandomAccessFile(in.resolve(name).toFile(), "r"));
    }

    private DataSink sink(String name) throws IOException {
        return new FileRandomIO(new RandomAccessFile(local.resolve(name).toFile(), "rw"));
    }

    private void put(String name, DataSource source) throws IOException, FTPException {
        client.setPassive();
        client.setLocalActive();
        client.put(name, source, marker -> {});
        say("put", name);
    }

    /** In MODE E the receiver listens. */
    private void listen() throws IOException, FTPException {
        client.setActive(client.setLocalPassive());
    }

    private void blocks() throws IOException, FTPException {
        client.setMode(GridFTPSession.MODE_EBLOCK);
        client.setOptions(new RetrieveOptions(PARALLELISM));
        put("f", source("f"));
        put("empty", source("empty"));
        client.setPassive();
        client.setLocalActive();
        client.extendedPut("empty", HALF, source("text"), marker -> {});
        listen();
        client.get("f", sink("blocks"), marker -> {});
        listen();
        client.extendedGet("f", HALF, 1000, sink("part"), marker -> {});
        client.setOptions(new RetrieveOptions(1));
        client.setMode(Session.MODE_STREAM);
    }

    private void stream() throws IOException, FTPException {
        put("half", source("half"));
        client.setRestartMarker(new StreamModeRestartMarker(HALF));
        InputStream rest = Files.newInputStream(in.resolve("f"));
        rest.skipNBytes(HALF);
        put("half", new DataSourceStream(rest));
        client.setRestartMarker(new StreamModeRestartMarker(HALF));
        client.setPassive();
        client.setLocalActive();
        client.get("f", new DataSinkStream(Files.newOutputStream(local.resolve("rest"))), marker -> {});
    }

    private void names() throws IOException, FTPException {
        client.makeDir("d");
        client.rename("half", "d/g");
        client.changeModificationTime(2020, 1, 1, 2, 3, 4, "f");
        say("modified", client.getLastModified("f").toInstant());
        say("size", client.getSize("f"));
        say("exists", client.exists("f") + " " + client.exists("none"));
        say("checksum", client.checksum(ChecksumAlgorithm.MD5, 0, HALF, "f"));
        say("MLST", client.mlst("f").get(MlsxEntry.SIZE));
        List<String> found = new ArrayList<>();
        client.setPassive();
        client.setLocalActive();
        for (Object entry : client.mlsd("")) {
            MlsxEntry fact = (MlsxEntry) entry;
            if (!fact.get(MlsxEntry.TYPE).matches("[cp]dir")) {
                found.add(fact.getFileName() + " " + fact.get(MlsxEntry.TYPE));
            }
        }
        say("MLSD", found.stream().sorted().toList());
        found.clear();
        client.setPassive();
        client.setLocalActive();
        for (Object entry : client.list("*", "-d")) {
            FileInfo file = (FileInfo) entry;
            // a Globus server lists . and ..
            if (!file.getName().matches("\\.\\.?")) {
                found.add(file.getName() + (file.isDirectory() ? "/" : " " + file.getSize()));
            }
        }
        say("LIST", found.stream().sorted().toList());
        client.deleteFile("d/g");
        client.deleteDir("d");
    }

    private void thirdParty(GridFTPClient other) throws IOException, FTPException {
        client.setActive(other.setPassive());
        client.transfer("f", other, "third", false, marker -> {});
        other.close();
    }

    private void refusals() throws IOException {
        refused("delete", () -> client.deleteFile("none"));
        refused("rename", () -> client.rename("none", "g"));
        refused("change", () -> client.changeDir("none"));
        refused("size", () -> client.getSize("none"));
    }

    private interface Step {
        void run() throws IOException, FTPException;
    }

    private static void refused(String what, Step step) throws IOException {
        try {
            step.run();
            say(what, "done");
        } catch (FTPException e) {
            say(what, "refused, " + e.getCode());
        }
    }
}
