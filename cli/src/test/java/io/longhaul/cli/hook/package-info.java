/** Tests of {@code io.longhaul.cli.hook}. */
@NullMarked
package io.longhaul.cli.hook;

import org.jspecify.annotations.NullMarked;
