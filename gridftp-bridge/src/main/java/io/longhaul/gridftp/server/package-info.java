/**
 * A GridFTP or FTP server as a back end. A file is written under a name of its own in the same directory, compared with what
 * was sent, and renamed.
 *
 * <p>Threads: those of {@code client}. Knows {@code client}, {@code protocol}, {@code range} and {@code spi}.
 */
@NullMarked
package io.longhaul.gridftp.server;

import org.jspecify.annotations.NullMarked;
