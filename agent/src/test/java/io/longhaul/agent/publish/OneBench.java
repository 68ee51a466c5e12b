package io.longhaul.agent.publish;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of one publisher have in common: it runs, on a bench, while a test does. */
abstract class OneBench {
    @TempDir
    Path directory;

    Bench bench;

    @BeforeEach
    void open() {
        bench = new Bench(directory);
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
