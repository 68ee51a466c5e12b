package io.longhaul.agent.publish;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * How a source file is recognised as the same and untouched.
 *
 * @param inode number of the file in its file system; without the device, whose number may change at a reboot
 * @param length bytes
 * @param modifiedNanos time of the last write, nanoseconds since the epoch
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record SourceIdentity(String inode, long length, long modifiedNanos) {
    static final SourceIdentity NONE = new SourceIdentity("", 0, 0);

    /** Returns what differs in the other one, for a message; empty when nothing does. */
    String difference(SourceIdentity found) {
        if (!inode.equals(found.inode)) {
            return "another file has its name now: expected inode " + inode + ", found " + found.inode;
        }
        if (length != found.length) {
            return "expected " + length + " bytes, found " + found.length;
        }
        if (modifiedNanos != found.modifiedNanos) {
            return "it was written to: expected modification time " + modifiedNanos + " ns, found "
                    + found.modifiedNanos;
        }
        return "";
    }
}
