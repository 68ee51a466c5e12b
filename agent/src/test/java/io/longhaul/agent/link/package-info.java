/** A network in memory that stands in for brokers in the tests of publishing and receiving. */
@NullMarked
package io.longhaul.agent.link;

import org.jspecify.annotations.NullMarked;
