/**
 * What a monitoring system asks a broker: counts and gauges for Prometheus, whether it runs, whether it takes frames.
 *
 * <p>The entry is {@link io.longhaul.broker.metrics.MetricsEndpoint}. Knows the broker's door, {@code broker.http} and
 * Micrometer, which nothing else of the module sees. Pages are made on the endpoint's one event loop; the endpoint may
 * be used from any thread.
 */
@NullMarked
package io.longhaul.broker.metrics;

import org.jspecify.annotations.NullMarked;
