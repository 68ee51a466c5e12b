/**
 * Files on their way between clients of a front and the back end behind a back: uploads and downloads at the front, deliveries
 * and fetches at the back. {@code docs/protocol/endpoint.md} describes their states.
 *
 * <p>Knows {@code content}, {@code call}, {@code post}, {@code spi}, {@code range} and {@code thread}. Threads: the state of all
 * transfers of a process belongs to one thread, which never waits; what waits for the disk is done on other ones.
 */
@NullMarked
package io.longhaul.gridftp.transfer;

import org.jspecify.annotations.NullMarked;
