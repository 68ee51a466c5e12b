package io.longhaul.gridftp.front;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Passwords are looked at until a test says that they match. */
record SlowAccounts(CountDownLatch checked, boolean allowsAnonymous) implements Accounts {
    @Override
    public boolean matches(String user, char[] password) {
        try {
            return checked.await(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
