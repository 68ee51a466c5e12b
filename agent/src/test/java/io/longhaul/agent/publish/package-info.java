/** Tests of publishing, with real files and a real store on one side and a network in memory on the other. */
@NullMarked
package io.longhaul.agent.publish;

import org.jspecify.annotations.NullMarked;
