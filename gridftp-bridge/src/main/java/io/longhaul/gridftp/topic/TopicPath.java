package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;

/** What paths mean here: {@code /TOPIC/name/of/file}. */
final class TopicPath {
    /** Subscribers keep what is not whole yet in a directory of this name. */
    private static final String RESERVED = ".longhaul";

    private TopicPath() {}

    /** Returns the topic of a path that is not the root; it may be none that there can be. */
    static String topic(FilePath path) {
        return path.names().get(0);
    }

    /** Returns the name that subscribers see. */
    static String name(FilePath path) {
        return String.join("/", path.names().subList(1, path.names().size()));
    }

    /** Returns whether there can be a topic of that name. */
    static boolean isTopic(String name) {
        try {
            Names.topic(name);
            return true;
        } catch (WireException e) {
            return false;
        }
    }

    /** Returns the path of a file; throws for one that cannot be published. */
    static FilePath checkFile(FilePath path) {
        if (path.names().size() < 2) {
            throw new BackendException(Code.IS_A_DIRECTORY, path + ": expected a name in the directory of a topic");
        }
        return checkName(path);
    }

    /** Returns the path of a directory; throws for one that no file can be in. */
    static FilePath checkDirectory(FilePath path) {
        return path.names().size() < 2 ? checkTopic(path) : checkName(path);
    }

    private static FilePath checkTopic(FilePath path) {
        try {
            Names.topic(topic(path));
            return path;
        } catch (WireException e) {
            throw new BackendException(Code.BAD_NAME, path + ": " + e.getMessage(), e);
        }
    }

    private static FilePath checkName(FilePath path) {
        checkTopic(path);
        if (path.names().get(1).equals(RESERVED)) {
            throw new BackendException(Code.BAD_NAME, path + ": " + RESERVED + " is reserved for unfinished transfers");
        }
        try {
            Names.path(name(path));
            return path;
        } catch (WireException e) {
            throw new BackendException(Code.BAD_NAME, path + ": " + e.getMessage(), e);
        }
    }
}
