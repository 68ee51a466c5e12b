package io.longhaul.ptcp.artemis;

/**
 * Is told why a connector cannot connect, of which Artemis learns only that it failed.
 *
 * <p>Implemented by the protocol manager that a locator gives its connectors.
 */
public interface ConnectListener {
    /**
     * An attempt failed.
     *
     * @param why a line for a person, without the address
     * @param loginRefused whether a proxy on the way did not take the credentials: each attempt shows it them again, and after
     *     some of them it may lock their account
     */
    void cannotConnect(String why, boolean loginRefused);
}
