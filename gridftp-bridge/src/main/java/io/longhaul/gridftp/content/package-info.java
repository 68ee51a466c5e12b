/**
 * Contents: files on their way, of which both ends keep a copy that grows. The end where it grows is its holder, the other
 * one mirrors it by asking for what it lacks; see {@code docs/protocol/endpoint.md} for the messages and {@code
 * docs/protocol/content.md} for what lies on disk.
 *
 * <p>Knows {@code post}, {@code range}, {@code thread} and {@code io.longhaul.storage}. Threads: a {@link
 * io.longhaul.gridftp.content.Content} may be used by any thread that may wait for the disk; the {@link
 * io.longhaul.gridftp.content.Holder} and the {@link io.longhaul.gridftp.content.Mirrors} each do everything on one thread of
 * their own, which may wait for the post.
 */
@NullMarked
package io.longhaul.gridftp.content;

import org.jspecify.annotations.NullMarked;
