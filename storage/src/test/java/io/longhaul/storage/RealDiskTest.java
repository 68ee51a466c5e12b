package io.longhaul.storage;

import java.nio.file.Path;

class RealDiskTest extends DiskContract {
    @Override
    Disk create(Path root, Path scratch) {
        return Disk.real();
    }
}
