package io.longhaul.storage.ledger;

import java.util.List;

/**
 * An open file and the damage found in it.
 *
 * @param damaged whether blocks remain that cannot be read
 */
record Recovered(BlockFile file, List<String> findings, boolean damaged) {}
