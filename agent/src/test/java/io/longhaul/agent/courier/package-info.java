/** Tests of what a courier keeps and checks by itself; with brokers it is tested in {@code it}. */
@NullMarked
package io.longhaul.agent.courier;

import org.jspecify.annotations.NullMarked;
