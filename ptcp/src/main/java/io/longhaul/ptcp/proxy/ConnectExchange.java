package io.longhaul.ptcp.proxy;

import io.longhaul.ptcp.proxy.HttpProxyException.Kind;
import io.longhaul.ptcp.proxy.HttpProxySession.Offer;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The talk with the proxy on one connection, from the first CONNECT until the tunnel stands; without any I/O. */
final class ConnectExchange {
    private static final int BODY_BYTES = 64 * 1024;
    private static final int ANSWERS = 8;
    private static final String PROXY_CONNECTION = "proxy-connection";

    /** What to do after a part of an answer. */
    enum Step {
        WAIT,
        ASK_AGAIN,
        OPEN
    }

    /** Where in an answer the talk is. */
    private enum Part {
        HEAD,
        BODY_OF_CHALLENGE,
        END_OF_GRANT
    }

    private final HttpProxySession session;
    private final String target;
    private @Nullable Offer offer;
    private Part part = Part.HEAD;
    private boolean challenged;
    private boolean refreshed;
    private int answers;
    private int bodyBytes;

    /** Begins a talk about a tunnel to a target in the form {@code host:port}. */
    ConnectExchange(HttpProxySession session, String target) {
        this.session = session;
        this.target = target;
        this.offer = session.next();
    }

    /** Returns the request to send now. */
    FullHttpRequest request() {
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, target, Unpooled.EMPTY_BUFFER);
        request.headers().set(HttpHeaderNames.HOST, target);
        // Proxies of HTTP/1.0 would hang up after a challenge otherwise.
        request.headers().set(PROXY_CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        if (offer != null) {
            String authorization = offer.authorizer().authorization(HttpMethod.CONNECT.name(), target);
            request.headers().set(HttpHeaderNames.PROXY_AUTHORIZATION, authorization);
        }
        return request;
    }

    /** Takes the next part of an answer, which stays the caller's to release. */
    Step read(HttpObject message) throws HttpProxyException {
        Throwable malformed = message.decoderResult().cause();
        if (malformed instanceof PrematureChannelClosureException) {
            throw closed();
        }
        if (malformed != null) {
            throw new HttpProxyException(
                    Kind.NO_ANSWER,
                    about("expected an answer in HTTP, found " + Printable.of(String.valueOf(malformed.getMessage()))),
                    malformed);
        }
        if (message instanceof HttpResponse response) {
            readHead(response);
        }
        return message instanceof HttpContent content ? readContent(content) : Step.WAIT;
    }

    /** Returns whether a status says that the tunnel stands. */
    static boolean isGrant(HttpResponseStatus status) {
        return status.codeClass() == HttpStatusClass.SUCCESS;
    }

    private void readHead(HttpResponse response) throws HttpProxyException {
        HttpResponseStatus status = response.status();
        if (!response.protocolVersion().protocolName().equals(HttpVersion.HTTP_1_1.protocolName())) {
            throw new HttpProxyException(
                    Kind.NO_ANSWER,
                    about("expected an answer in HTTP, found "
                            + Printable.of(response.protocolVersion().text())));
        }
        if (++answers > ANSWERS) {
            throw new HttpProxyException(Kind.NO_ANSWER, about("expected at most " + ANSWERS + " answers, found more"));
        }
        if (isGrant(status)) {
            part = Part.END_OF_GRANT;
        } else if (status.equals(HttpResponseStatus.PROXY_AUTHENTICATION_REQUIRED)) {
            readChallenge(response);
        } else if (status.code() >= HttpResponseStatus.OK.code()
                || status.equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
            throw new HttpProxyException(
                    Kind.REFUSED, refused(status.code() + " " + Printable.of(status.reasonPhrase())));
        }
    }

    private void readChallenge(HttpResponse response) throws HttpProxyException {
        List<Challenge> challenges = Challenge.parse(response.headers().getAll(HttpHeaderNames.PROXY_AUTHENTICATE));
        String schemes = challenges.stream()
                .map(challenge -> Printable.of(challenge.scheme()))
                .limit(ANSWERS)
                .collect(Collectors.joining(", ", "challenge for ", ""));
        if (session.proxy().user().isEmpty()) {
            throw new HttpProxyException(Kind.CREDENTIALS, refused("407, " + schemes + ", no credentials configured"));
        }
        if (offer != null) {
            session.refused(offer);
            // An old nonce says nothing about the credentials. Not every proxy calls it stale, but if a tunnel has
            // stood
            // with them, the nonce is what was wrong.
            boolean aged = offer.proven() || challenges.stream().anyMatch(Challenge::isStale);
            if (refreshed || !aged) {
                throw new HttpProxyException(Kind.CREDENTIALS, refused("407, credentials not accepted"));
            }
            refreshed = true;
        }
        Optional<Offer> answer = session.answer(challenges);
        if (answer.isEmpty()) {
            throw new HttpProxyException(
                    Kind.CREDENTIALS,
                    refused("407, expected a challenge for Basic, or for Digest with MD5 or SHA-256 and qop auth,"
                            + " found " + (challenges.isEmpty() ? "none" : schemes)));
        }
        offer = answer.get();
        challenged = true;
        part = Part.BODY_OF_CHALLENGE;
        bodyBytes = 0;
        if (hangsUp(response)) {
            throw closed();
        }
    }

    /** Whether there is no next answer on this connection, or only after more bytes than are worth reading. */
    private static boolean hangsUp(HttpResponse response) {
        boolean bounded = HttpUtil.isTransferEncodingChunked(response)
                || HttpUtil.isContentLengthSet(response) && HttpUtil.getContentLength(response) <= BODY_BYTES;
        return !bounded
                || !HttpUtil.isKeepAlive(response)
                || response.headers().containsValue(PROXY_CONNECTION, HttpHeaderValues.CLOSE, true);
    }

    private Step readContent(HttpContent content) throws HttpProxyException {
        boolean last = content instanceof LastHttpContent;
        return switch (part) {
            case HEAD -> Step.WAIT;
            case BODY_OF_CHALLENGE -> {
                bodyBytes += content.content().readableBytes();
                if (bodyBytes > BODY_BYTES) {
                    throw closed();
                }
                part = last ? Part.HEAD : Part.BODY_OF_CHALLENGE;
                yield last ? Step.ASK_AGAIN : Step.WAIT;
            }
            case END_OF_GRANT -> {
                if (last && offer != null) {
                    session.succeeded(offer);
                }
                yield last ? Step.OPEN : Step.WAIT;
            }
        };
    }

    /** Returns what it means that the connection ends here. */
    HttpProxyException closed() {
        if (challenged && offer != null) {
            session.leave(offer);
            return new HttpProxyException(
                    Kind.CHALLENGED, about("asked for credentials and closed the connection before it could get them"));
        }
        return new HttpProxyException(Kind.NO_ANSWER, about("expected an answer, found the connection closed"));
    }

    /** Returns a message about the target. */
    String about(String what) {
        return "proxy " + session.proxy() + ": CONNECT " + target + ": " + what;
    }

    private String refused(String found) {
        return "proxy " + session.proxy() + ": CONNECT " + target + " refused: " + found;
    }
}
