/**
 * What an operator has run when a transfer is complete: a program with arguments, never a shell.
 *
 * <p>Depends on the SDK. A hook runs on the thread that reports the transfer.
 */
@NullMarked
package io.longhaul.cli.hook;

import org.jspecify.annotations.NullMarked;
