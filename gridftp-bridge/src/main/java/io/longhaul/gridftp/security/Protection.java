package io.longhaul.gridftp.security;

/** Levels of PROT (RFC 2228 section 3). */
public enum Protection {
    /** C: nothing. */
    CLEAR,
    /** S: changes are noticed. */
    SAFE,
    /** P: nobody can read along. */
    PRIVATE
}
