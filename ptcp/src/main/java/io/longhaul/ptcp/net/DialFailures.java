package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.UnknownHost;
import io.longhaul.ptcp.proxy.HttpProxyException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

/** What is said of a place that could not be dialled. */
final class DialFailures {
    private static final Pattern NATIVE_ERROR =
            Pattern.compile("(?:[\\w.$]+: )?\\S+ failed with error\\(-?\\d+\\): ([^:]*).*$");

    private DialFailures() {}

    static PtcpException named(PtcpClient.Target target, Throwable thrown) {
        Throwable failure = bare(thrown);
        PtcpException.Code code = code(failure);
        return new PtcpException(code, target + ": " + reason(failure), failure);
    }

    /**
     * The system's own words, without those of Netty around them; of a name asked for again there are none but the name, and
     * of a network that cannot be reached Netty keeps none.
     */
    static String reason(Throwable failure) {
        if (failure instanceof NoRouteToHostException
                && String.valueOf(failure.getMessage()).startsWith("null")) {
            return "Network is unreachable";
        }
        String words =
                NATIVE_ERROR.matcher(String.valueOf(failure.getMessage())).replaceFirst("$1");
        return failure instanceof UnknownHostException ? UnknownHost.words(words) : words;
    }

    private static PtcpException.Code code(Throwable failure) {
        if (failure instanceof HttpProxyException proxy) {
            return switch (proxy.kind()) {
                case UNREACHABLE, NO_ANSWER -> PtcpException.Code.UNREACHABLE;
                case CHALLENGED, CREDENTIALS, REFUSED, BAD_TARGET -> PtcpException.Code.PROXY;
            };
        }
        return failure instanceof PtcpException known ? known.code() : PtcpException.Code.UNREACHABLE;
    }

    static boolean isUnreachable(Throwable failure) {
        return bare(failure) instanceof PtcpException known && known.code() == PtcpException.Code.UNREACHABLE;
    }

    static boolean isChallenge(Throwable failure) {
        Throwable bare = bare(failure);
        return bare instanceof HttpProxyException proxy && proxy.kind() == HttpProxyException.Kind.CHALLENGED;
    }

    static Throwable bare(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
