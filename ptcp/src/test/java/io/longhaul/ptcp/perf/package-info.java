@org.jspecify.annotations.NullMarked
package io.longhaul.ptcp.perf;
