/**
 * Real processes for tests: started, watched, stopped, killed and restarted, each test in a directory of its own that
 * stays when the test fails.
 *
 * <p>Knows the product by its command line alone. Objects belong to the test's thread unless they say otherwise.
 */
package io.longhaul.it.testbed;
