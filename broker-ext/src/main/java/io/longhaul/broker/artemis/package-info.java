/**
 * The adapter to the Artemis server: settings, plugins, limits. Nothing else of the module sees Artemis types.
 *
 * <p>Plugins run on Artemis's own threads (network, session and journal executors) and must not block; what takes long
 * runs on the one thread {@code broker-keeper-1}, but for passwords, which are compared on {@code broker-login-N}.
 */
@NullMarked
package io.longhaul.broker.artemis;

import org.jspecify.annotations.NullMarked;
