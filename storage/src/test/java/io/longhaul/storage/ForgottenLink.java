package io.longhaul.storage;

/** A symbolic link of a {@link ForgetfulDisk}. */
final class ForgottenLink extends ForgottenNode {
    final String target;

    ForgottenLink(String target) {
        this.target = target;
    }
}
