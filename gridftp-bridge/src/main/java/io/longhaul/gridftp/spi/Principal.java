package io.longhaul.gridftp.spi;

/**
 * Who has logged in.
 *
 * @param name of the account
 * @param isAnonymous whether nobody proved to be anybody
 */
public record Principal(String name, boolean isAnonymous) {}
