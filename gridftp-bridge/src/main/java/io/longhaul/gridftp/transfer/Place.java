package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where a file is to be.
 *
 * @param user who sends it; nobody where it does not matter
 */
record Place(String endpoint, FilePath path, Optional<Principal> user) {
    static Place of(UploadNote note) {
        return new Place(
                note.endpoint(),
                note.deliver().request().path(),
                Optional.of(note.deliver().user()));
    }

    @Override
    public String toString() {
        return path + " to endpoint " + endpoint;
    }

    boolean isAt(String other, Predicate<FilePath> paths) {
        return endpoint.equals(other) && paths.test(path);
    }

    Place ofAll() {
        return new Place(endpoint, path, Optional.empty());
    }
}
