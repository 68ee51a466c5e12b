/** Longhaul and what people would use instead of it, each as something that is started, run and stopped. */
package io.longhaul.it.bench.contender;
