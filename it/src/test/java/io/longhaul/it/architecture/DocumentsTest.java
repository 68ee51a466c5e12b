package io.longhaul.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of the documents lead to files that are there, and to headings that they have. */
final class DocumentsTest {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> FOLDERS = List.of("docs", "deploy", "it/wan");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s:]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> below = Files.walk(TOP.resolve(folder))) {
                below.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        try (Stream<Path> top = Files.list(TOP)) {
            top.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
        }
        return documents;
    }

    private static String text(Path document) throws IOException {
        return CODE.matcher(Files.readString(document)).replaceAll("");
    }

    /** As GitHub names the place of a heading. */
    private static String anchor(String heading) {
        return heading.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    private static Set<String> anchors(Path document) throws IOException {
        return HEADING.matcher(text(document))
                .results()
                .map(heading -> anchor(heading.group(1)))
                .collect(Collectors.toSet());
    }

    private static boolean leadsSomewhere(Path document, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
        boolean known = parts.length == 1 || !target.toString().endsWith(".md");
        return Files.exists(target) && (known || anchors(target).contains(parts[1]));
    }

    @Test
    void shouldLeadSomewhereWithEveryLink() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path document : documents()) {
            for (MatchResult link : LINK.matcher(text(document)).results().toList()) {
                links++;
                if (!leadsSomewhere(document, link.group(1))) {
                    broken.add(TOP.relativize(document) + ": " + link.group(1));
                }
            }
        }

        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(200);
    }
}
