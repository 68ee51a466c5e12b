package io.longhaul.gridftp.session;

import java.util.List;
import java.util.Optional;

/** The commands that there are. Immutable. */
public interface Verbs {
    /** Returns the verb of a name in upper case. */
    Optional<Verb> find(String name);

    /** Returns all names, for HELP. */
    List<String> names();
}
