/** What every transport of a byte stream must do, and the transports it is asked of. */
package io.longhaul.ptcp.contract;
