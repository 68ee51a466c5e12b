/**
 * Topics as a back end: what is stored below {@code /TOPIC/} is published to the topic by an agent in this process. Blocking calls
 * of the agent run on threads of the back end's own. Knows {@code spi}, {@code file}, {@code range}, {@code thread}, and the agent's SDK.
 */
@NullMarked
package io.longhaul.gridftp.topic;

import org.jspecify.annotations.NullMarked;
