/** Runs the programs of {@code examples/} as their command lines in the README do. */
package io.longhaul.it.examples;
