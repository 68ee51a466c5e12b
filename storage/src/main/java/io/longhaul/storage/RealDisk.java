package io.longhaul.storage;

/** The disk of this machine. */
abstract class RealDisk implements Disk {
    static final Disk INSTANCE = null;
}
