/**
 * Back ends that lie behind the network: {@link io.longhaul.gridftp.remote.RemoteFiles} is what a front sees of them,
 * {@link io.longhaul.gridftp.remote.EndpointServer} serves one to the fronts that ask. Both speak through a {@link
 * io.longhaul.gridftp.post.Post}, {@code call} carries their commands and {@code transfer} their bytes.
 */
@NullMarked
package io.longhaul.gridftp.remote;

import org.jspecify.annotations.NullMarked;
