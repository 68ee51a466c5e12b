package io.longhaul.cli;

/** A command that leaves nothing half done wherever it ends: asked to stop, it is not waited for. */
interface StopsAtOnce {}
