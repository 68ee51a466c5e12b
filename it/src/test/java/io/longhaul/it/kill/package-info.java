/** Kills of every role at random moments, with what the design promises about them. */
package io.longhaul.it.kill;
