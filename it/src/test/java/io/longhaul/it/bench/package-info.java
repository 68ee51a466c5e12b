/** Throughput of Longhaul beside that of NATS JetStream, in turn on one machine; run by {@code it/bench/run}. */
package io.longhaul.it.bench;
