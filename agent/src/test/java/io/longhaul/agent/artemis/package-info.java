@NullMarked
package io.longhaul.agent.artemis;

import org.jspecify.annotations.NullMarked;
