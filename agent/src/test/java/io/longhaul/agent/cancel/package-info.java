@org.jspecify.annotations.NullMarked
package io.longhaul.agent.cancel;
