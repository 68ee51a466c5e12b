/**
 * One client's conversation: control channel, login, settings, the order of commands. Event loop only, except for
 * {@code Sessions}, which all share. Knows {@code data}, {@code protocol}, {@code security}, {@code spi} and the root
 * package; verbs are given to it.
 */
@NullMarked
package io.longhaul.gridftp.session;

import org.jspecify.annotations.NullMarked;
