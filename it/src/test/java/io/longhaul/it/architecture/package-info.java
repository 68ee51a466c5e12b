/** Checks what {@code docs/architecture.md} says of modules, packages and names. Reads the classes of all modules. */
package io.longhaul.it.architecture;
