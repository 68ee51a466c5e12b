/**
 * What users and topics may use of a broker, and how much of it they do. Depends on nothing but the JDK; thread-safe where
 * it says so.
 */
@NullMarked
package io.longhaul.broker.limits;

import org.jspecify.annotations.NullMarked;
