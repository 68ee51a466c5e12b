/** Micro-benchmarks, run by JMH; only what the modules' own users can call. */
package io.longhaul.it.bench.micro;
