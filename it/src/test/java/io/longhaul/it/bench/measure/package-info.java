/** What a run costs, and how results are kept and shown. */
package io.longhaul.it.bench.measure;
