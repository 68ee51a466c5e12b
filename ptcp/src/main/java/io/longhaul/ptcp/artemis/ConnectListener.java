package io.longhaul.ptcp.artemis;

/**
 * Is told why a connector cannot connect, of which Artemis learns only that it failed.
 *
 * <p>Implemented by the protocol manager that a locator gives its connectors.
 */
public interface ConnectListener {
    /** An attempt failed; {@code why} is a line for a person, without the address. */
    void cannotConnect(String why);
}
