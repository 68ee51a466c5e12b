/** Tests of {@code io.longhaul.cli.option}. */
@NullMarked
package io.longhaul.cli.option;

import org.jspecify.annotations.NullMarked;
