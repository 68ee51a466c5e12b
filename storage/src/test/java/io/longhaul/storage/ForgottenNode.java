package io.longhaul.storage;

import java.nio.file.Path;

/** A file, directory or link of a {@link ForgetfulDisk} with the attributes that were set, and those that are durable. */
abstract class ForgottenNode {

    record Attributes(int mode, long modifiedNanos) {}

    private Attributes now;
    private Attributes durable;

    void setAttributes(Attributes attributes) {
        now = attributes;
    }

    void keepAttributes() {
        durable = now;
    }

    void restoreAttributes(Disk real, Path path) {
        now = durable;
        if (durable != null) {
            real.setAttributes(path, durable.mode, durable.modifiedNanos);
        } else if (this instanceof ForgottenFile) {
            real.setAttributes(path, 0644, 0);
        }
    }
}
