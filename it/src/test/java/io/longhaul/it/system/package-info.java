/** What users may rely on, over real processes: broker, publishers and subscribers on one machine. */
package io.longhaul.it.system;
