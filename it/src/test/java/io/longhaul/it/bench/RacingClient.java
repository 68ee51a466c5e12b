package io.longhaul.it.bench;

import io.longhaul.ptcp.artemis.PtcpConnectorFactory;
import io.longhaul.ptcp.artemis.PtcpParameters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;

/**
 * A client in a process of its own, which runs a {@link MessageRace} each time that it is told to: what Java has compiled for
 * one transport is not what another one needs.
 *
 * <p>Arguments of the process: transport, port of the broker, messages in a race.
 */
final class RacingClient implements AutoCloseable {
    /** Artemis's own transport, in the place of a number of streams. */
    static final String PLAIN = "plain";

    private static final int SOCKET_BUFFER = 1024 * 1024;
    private final Process process;
    private final OutputStream in;
    private final BufferedReader out;

    private RacingClient(Process process) {
        this.process = process;
        this.in = process.getOutputStream();
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a client of {@link #PLAIN} or of a number of streams, 0 for as many as serve. */
    static RacingClient start(String transport, int port, int messages) {
        List<String> command = List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                RacingClient.class.getName(),
                transport,
                Integer.toString(port),
                Integer.toString(messages));
        try {
            return new RacingClient(
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        int messages = Integer.parseInt(arguments[2]);
        TransportConfiguration transport =
                arguments[0].equals(PLAIN) ? plain(port) : parallel(port, Integer.parseInt(arguments[0]));
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (told.readLine() != null) {
            System.out.println(MessageRace.run(transport, messages));
        }
    }

    private static TransportConfiguration plain(int port) {
        return new TransportConfiguration(
                NettyConnectorFactory.class.getName(),
                Map.of(
                        TransportConstants.HOST_PROP_NAME,
                        "127.0.0.1",
                        TransportConstants.PORT_PROP_NAME,
                        port,
                        TransportConstants.TCP_SENDBUFFER_SIZE_PROPNAME,
                        SOCKET_BUFFER,
                        TransportConstants.TCP_RECEIVEBUFFER_SIZE_PROPNAME,
                        SOCKET_BUFFER));
    }

    private static TransportConfiguration parallel(int port, int streams) {
        PtcpParameters parameters = new PtcpParameters("127.0.0.1", port, streams, false, "", "", true, "");
        return new TransportConfiguration(PtcpConnectorFactory.class.getName(), parameters.map());
    }

    /** Returns the seconds of one race. */
    double race() {
        try {
            in.write('\n');
            in.flush();
            String answer = out.readLine();
            if (answer == null) {
                throw new AssertionError("the client ended: " + process.info());
            }
            return Double.parseDouble(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
