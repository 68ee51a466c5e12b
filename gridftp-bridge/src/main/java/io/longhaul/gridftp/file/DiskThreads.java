package io.longhaul.gridftp.file;

import java.util.concurrent.Executor;

/**
 * The threads of a back end that wait for the disk.
 *
 * @param all for what is soon done
 * @param most for what may take as long as a file is long; they leave one of {@code all} to others
 */
record DiskThreads(Executor all, Executor most) {}
