/**
 * How values are written on the command line and in configuration files: sizes, durations, counts, YAML keys.
 *
 * <p>Depends on picocli and, for configuration files only, on Jackson. Immutable or pure; any thread.
 */
@NullMarked
package io.longhaul.cli.option;

import org.jspecify.annotations.NullMarked;
