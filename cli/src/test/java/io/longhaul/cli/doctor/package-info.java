/** Tests of {@code io.longhaul.cli.doctor}. */
@NullMarked
package io.longhaul.cli.doctor;

import org.jspecify.annotations.NullMarked;
