package io.longhaul.gridftp.spi;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Paths in what people read, as seen from elsewhere: a user reads the path that was asked for, and nobody learns where his
 * root is. Immutable.
 *
 * @param moved what paths begin with, and what they begin with elsewhere. The root as a beginning stands for itself only, where a
 *     message begins with it: as a slash it is everywhere
 */
public record PathWords(Map<FilePath, FilePath> moved) {
    private static final String BEFORE = "(?<![\\p{L}\\p{N}._~/-])";

    /** A point may end a sentence. */
    private static final String AFTER = "(?![\\p{L}\\p{N}_~-]|\\.[\\p{L}\\p{N}])";

    private static final String ROOT_ITSELF = "^/(?=:|$)";

    /** Keeps a copy, but for paths that stay what they are. */
    public PathWords {
        moved = moved.entrySet().stream()
                .filter(each -> !each.getKey().equals(each.getValue()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Returns those of who sees a directory as the root. */
    public static PathWords below(FilePath root) {
        return new PathWords(Map.of(root, FilePath.ROOT));
    }

    /** Returns a text with the paths in it as they are elsewhere. */
    public String in(String text) {
        if (moved.isEmpty()) {
            return text;
        }
        // one pass, since what a path has become may begin as another one
        String any = moved.keySet().stream()
                .map(path -> path.isRoot() ? ROOT_ITSELF : BEFORE + Pattern.quote(path.toString()) + AFTER)
                .collect(Collectors.joining("|"));
        return Pattern.compile(any).matcher(text).replaceAll(found -> Matcher.quoteReplacement(elsewhere(found, text)));
    }

    private String elsewhere(MatchResult found, String text) {
        FilePath path = moved.getOrDefault(FilePath.of(found.group()), FilePath.ROOT);
        boolean goesOn = text.startsWith("/", found.end());
        return path.isRoot() && goesOn ? "" : path.toString();
    }

    /** Returns what fails in these words if it does. */
    public <T> CompletableFuture<T> told(CompletableFuture<T> result) {
        return moved.isEmpty()
                ? result
                : result.exceptionallyCompose(failure -> CompletableFuture.failedFuture(in(failure)));
    }

    private Throwable in(Throwable failure) {
        Throwable cause = BackendException.cause(failure);
        return cause instanceof BackendException known ? known.inWords(this::in) : cause;
    }

    /** Returns a sink that fails in these words. */
    public Sink told(Sink sink) {
        return moved.isEmpty() ? sink : new ToldSink(sink, this);
    }

    /** Returns a source that fails in these words. */
    public Source told(Source source) {
        return moved.isEmpty() ? source : new ToldSource(source, this);
    }
}
