package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A broker in a process of its own, to be killed. */
final class BrokerProcess implements AutoCloseable {
    private static final String READY = "listening on ";
    private final Process process;
    private final int port;

    private BrokerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Broker broker =
                Broker.launch(BrokerConfig.of("child", Path.of(arguments[0])).withListenCoreOnly("127.0.0.1:0"));
        System.out.println(READY + broker.corePort());
        Thread.currentThread().join();
    }

    /** Starts it and waits until it listens; what it says goes to a file beside its data. */
    static BrokerProcess start(Path data) throws IOException {
        Path said = data.resolveSibling(data.getFileName() + ".log");
        Process process = launch(data, said);
        AtomicInteger port = new AtomicInteger();
        await().until(() -> {
            for (String line : Files.readAllLines(said)) {
                if (line.startsWith(READY)) {
                    port.set(Integer.parseInt(line.substring(READY.length())));
                }
            }
            return port.get() > 0 || !process.isAlive();
        });
        if (port.get() == 0) {
            throw new IOException("broker did not start:\n" + Files.readString(said));
        }
        return new BrokerProcess(process, port.get());
    }

    /** Starts it and kills it while it starts, as soon as a file is there; or has its last name, when that is seen first. */
    static void killOnceThereIs(Path file, Path data) throws IOException {
        Process process = launch(data, data.resolveSibling(data.getFileName() + ".log"));
        Path last = file.resolveSibling(file.getFileName().toString().replaceFirst("\\.tmp$", ""));
        while (process.isAlive() && !Files.exists(file) && !Files.exists(last)) {
            Thread.onSpinWait();
        }
        process.destroyForcibly();
        await().until(() -> !process.isAlive());
    }

    private static Process launch(Path data, Path said) throws IOException {
        Files.deleteIfExists(said);
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerProcess.class.getName(),
                        data.toString()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
    }

    int port() {
        return port;
    }

    /** Kills it as power or the kernel would: it can say nothing. */
    void kill() {
        process.destroyForcibly();
        await().until(() -> !process.isAlive());
    }

    @Override
    public void close() {
        kill();
    }
}
