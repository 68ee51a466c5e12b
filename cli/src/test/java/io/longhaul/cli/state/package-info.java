/** Tests of {@code io.longhaul.cli.state}. */
@NullMarked
package io.longhaul.cli.state;

import org.jspecify.annotations.NullMarked;
