package io.longhaul.gridftp.rights;

import static java.util.Comparator.naturalOrder;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * What a user may do where. Immutable.
 *
 * @param root what is the user's {@code /}
 * @param rules rights on paths, as the user sees them, and on what is below them; the longest path that fits decides, and
 *     where none does there is no right
 */
public record Rights(FilePath root, List<Rule> rules) {
    /** Everything, from the root. */
    public static final Rights ALL = new Rights(FilePath.ROOT, List.of(new Rule(FilePath.ROOT, Right.WRITE)));

    /** What may be done with a path. */
    public enum Right {
        /** It may be looked at, listed and read. */
        READ,
        /** It may be read, made, changed, renamed and removed. */
        WRITE
    }

    /** A right on a path and on what is below it. */
    public record Rule(FilePath path, Right right) {}

    /** Keeps a copy, longest paths first; throws {@link IllegalArgumentException} for two rules for one path. */
    public Rights {
        if (rules.stream().map(Rule::path).distinct().count() < rules.size()) {
            throw new IllegalArgumentException("rights: expected each path once");
        }
        rules = rules.stream()
                .sorted(Comparator.comparingInt(
                                (Rule rule) -> rule.path().names().size())
                        .reversed())
                .toList();
    }

    /** Returns a back end as this user sees it; closing it does not close the one behind. */
    public Backend over(Backend backend) {
        return equals(ALL) ? backend : new RightsBackend(this, backend);
    }

    /** Returns the same with more rules; of two for one path the one that allows more. */
    Rights with(List<Rule> more) {
        Map<FilePath, Right> all = new HashMap<>();
        Stream.concat(rules.stream(), more.stream())
                .forEach(rule -> all.merge(rule.path(), rule.right(), BinaryOperator.maxBy(naturalOrder())));
        return new Rights(
                root,
                all.entrySet().stream()
                        .map(rule -> new Rule(rule.getKey(), rule.getValue()))
                        .toList());
    }

    boolean mayRead(FilePath path) {
        return allows(Right.READ, path);
    }

    boolean mayWrite(FilePath path) {
        return allows(Right.WRITE, path);
    }

    /** Returns whether a path may be looked at: it may be read, or something below it may be seen. */
    boolean maySee(FilePath path) {
        return mayRead(path) || leads(path);
    }

    private boolean allows(Right wanted, FilePath path) {
        return right(path).filter(right -> right.compareTo(wanted) >= 0).isPresent();
    }

    private Optional<Right> right(FilePath path) {
        return rules.stream()
                .filter(rule -> path.startsWith(rule.path()))
                .findFirst()
                .map(Rule::right);
    }

    /** Returns whether there is something below a path that the user may see. */
    private boolean leads(FilePath path) {
        return rules.stream().anyMatch(rule -> rule.path().startsWith(path));
    }

    /** Returns whether a path and all that can be below it may be changed, so that nothing gets other rights by moving. */
    boolean allowsMoving(FilePath path) {
        return allows(Right.WRITE, path)
                && rules.stream()
                        .filter(rule -> rule.path().startsWith(path))
                        .allMatch(rule -> rule.right() == Right.WRITE);
    }

    FilePath behind(FilePath path) {
        return root.append(path);
    }
}
