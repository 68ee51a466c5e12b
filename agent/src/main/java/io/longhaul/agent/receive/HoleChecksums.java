package io.longhaul.agent.receive;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/** CRC-32C of runs of zeros, remembered by length; not thread-safe. */
final class HoleChecksums {
    private static final int REMEMBERED = 64;
    private static final int CHUNK = 64 * 1024;

    private final Map<Integer, Integer> byLength = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
            return size() > REMEMBERED;
        }
    };

    int of(int length) {
        Integer known = byLength.get(length);
        if (known != null) {
            return known;
        }
        CRC32C crc = new CRC32C();
        ByteBuffer zeros = ByteBuffer.allocate(Math.min(CHUNK, length));
        for (int left = length; left > 0; left -= zeros.limit()) {
            zeros.clear().limit(Math.min(zeros.capacity(), left));
            crc.update(zeros);
        }
        int value = (int) crc.getValue();
        byLength.put(length, value);
        return value;
    }
}
