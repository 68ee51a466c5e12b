package io.longhaul.ptcp.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Basic (RFC 7617): user and password in the clear, in UTF-8 whether or not the challenge asks for it. */
final class BasicAuthorizer implements Authorizer {
    static final String SCHEME = "Basic";
    private final String authorization;

    BasicAuthorizer(HttpProxy proxy) {
        byte[] pair = (proxy.user() + ":" + proxy.password()).getBytes(StandardCharsets.UTF_8);
        authorization = SCHEME + " " + Base64.getEncoder().encodeToString(pair);
    }

    @Override
    public String authorization(String method, String uri) {
        return authorization;
    }

    @Override
    public int strength() {
        return 0;
    }
}
