/**
 * The command {@code longhaul}: one class for each command, the options that they share, and the exit codes.
 *
 * <p>Depends on everything below it. A command runs on the main thread; {@link io.longhaul.cli.Main} alone touches the
 * process: its streams, clock, threads, signals and exit.
 */
@NullMarked
package io.longhaul.cli;

import org.jspecify.annotations.NullMarked;
