/** Users, their hashed passwords and their rights on topics. Knows no sibling; thread-safe where it says so. */
@NullMarked
package io.longhaul.broker.users;

import org.jspecify.annotations.NullMarked;
