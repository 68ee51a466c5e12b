/**
 * Power cuts, made by a layer between process and kernel (C, loaded with {@code LD_PRELOAD}) that keeps a copy of what
 * was forced and of nothing else.
 *
 * <p>Needs a C compiler; without one its tests are skipped, and say so.
 */
package io.longhaul.it.powerloss;
