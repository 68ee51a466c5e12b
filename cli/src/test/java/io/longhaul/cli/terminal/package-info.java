/** Tests of {@code io.longhaul.cli.terminal}. */
@NullMarked
package io.longhaul.cli.terminal;

import org.jspecify.annotations.NullMarked;
