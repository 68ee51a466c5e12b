/** Tests of the commands: {@code *Test} without sockets and processes, {@code *IT} with a broker in this process. */
@NullMarked
package io.longhaul.cli;

import org.jspecify.annotations.NullMarked;
