package io.longhaul.it.powerloss;

import io.longhaul.storage.Disk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A program that does to files what its arguments say, one after another: {@code write:FILE:TEXT}, {@code force:FILE}, ... */
final class DiskProgram {
    private DiskProgram() {}

    public static void main(String[] steps) throws IOException {
        for (String step : steps) {
            String[] words = step.split(":");
            Path path = Path.of(words[1]);
            switch (words[0]) {
                case "write" -> write(path, 0, words[2]);
                case "write-at" -> write(path, Long.parseLong(words[2]), words[3]);
                case "write-old" -> writeOld(path, words[2]);
                case "write-synced" -> writeSynced(path, words[2]);
                case "force" -> force(path, StandardOpenOption.WRITE, false);
                case "force-all" -> force(path, StandardOpenOption.WRITE, true);
                case "sync" -> force(path, StandardOpenOption.READ, true);
                case "sync-all" -> Disk.real().syncFileSystem(path);
                case "truncate" -> truncate(path, Long.parseLong(words[2]));
                case "rename" -> Files.move(path, Path.of(words[2]), StandardCopyOption.ATOMIC_MOVE);
                case "delete" -> Files.delete(path);
                case "directory" -> Files.createDirectory(path);
                case "link" -> Files.createSymbolicLink(path, Path.of(words[2]));
                case "map" -> map(path);
                default -> throw new IllegalArgumentException("unknown step " + step);
            }
        }
        System.out.println("{\"event\":\"done\"}");
    }

    private static void write(Path path, long at, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), at);
        }
    }

    private static void writeOld(Path path, String text) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void writeSynced(Path path, String text) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rwd")) {
            file.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void force(Path path, StandardOpenOption mode, boolean attributes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(attributes);
        }
    }

    private static void truncate(Path path, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    private static void map(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()).put(0, (byte) 1);
        }
    }
}
