package io.longhaul.gridftp;

/** Says who may log in. Called on threads that may wait; thread-safe. */
public interface Accounts {
    /** Returns whether people may log in without being anybody. */
    boolean allowsAnonymous();

    /** Returns whether there is a user of this name who has a password, and so is somebody. */
    default boolean isSomebody(String user) {
        return false;
    }

    /** Returns whether the password is the user's; a user that does not exist takes as long as a wrong password. */
    boolean matches(String user, char[] password);

    /** Returns accounts of nobody but anonymous users. */
    static Accounts anonymous() {
        return new Accounts() {
            @Override
            public boolean allowsAnonymous() {
                return true;
            }

            @Override
            public boolean matches(String user, char[] password) {
                return false;
            }
        };
    }
}
