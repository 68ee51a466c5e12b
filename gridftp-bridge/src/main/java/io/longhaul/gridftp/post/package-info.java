/**
 * Messages between front and back as {@code docs/protocol/endpoint.md} describes them, and the post that carries them.
 * Pure but for {@code PostOffice}, which hands on. Knows {@code range}; see each class for threads.
 */
@NullMarked
package io.longhaul.gridftp.post;

import org.jspecify.annotations.NullMarked;
