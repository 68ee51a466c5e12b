/** Tests of {@code io.longhaul.cli.watch}. */
@NullMarked
package io.longhaul.cli.watch;

import org.jspecify.annotations.NullMarked;
