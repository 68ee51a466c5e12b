/**
 * Looks at this machine before anything goes wrong: disk, clock, ports, limits, Java, brokers.
 *
 * <p>Depends on storage and wire. Each check is pure but for what it looks at and runs on the command's thread.
 */
@NullMarked
package io.longhaul.cli.doctor;

import org.jspecify.annotations.NullMarked;
