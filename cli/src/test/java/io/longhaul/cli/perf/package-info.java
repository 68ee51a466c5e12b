/** Tests of {@code io.longhaul.cli.perf}. */
@NullMarked
package io.longhaul.cli.perf;

import org.jspecify.annotations.NullMarked;
