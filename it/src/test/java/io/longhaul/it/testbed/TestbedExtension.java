package io.longhaul.it.testbed;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test its {@link Testbed}, and what is made before all tests of a class one that they share beside it.
 *
 * <p>The directory lies under {@code target/testbed}, or what the system property {@code longhaul.testbed} says; it is
 * removed when the test succeeds, and named when it fails. The one that is shared is kept when one of the tests fails.
 */
public final class TestbedExtension implements ParameterResolver, AfterEachCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(TestbedExtension.class);
    private static final String OWN = "own";
    private static final String SHARED = "shared";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Testbed.class;
    }

    @Override
    public Testbed resolveParameter(ParameterContext parameter, ExtensionContext context) {
        String key = context.getTestMethod().isPresent() ? OWN : SHARED;
        return context.getStore(HERE).getOrComputeIfAbsent(key, any -> open(context), Testbed.class);
    }

    private static Testbed open(ExtensionContext context) {
        String method =
                context.getTestMethod().map(found -> '.' + found.getName()).orElse("");
        String name = context.getRequiredTestClass().getSimpleName() + method;
        String number = context.getUniqueId().replaceAll(".*#(\\d+).*", "-$1");
        String suffix = number.startsWith("-") ? number : "";
        return Testbed.open(Path.of(System.getProperty("longhaul.testbed", "target/testbed"))
                .resolve(name + suffix));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(HERE);
        boolean failed = context.getExecutionException().isPresent();
        Optional<Testbed> shared = Optional.ofNullable(store.get(SHARED, Testbed.class));
        if (failed) {
            shared.ifPresent(Testbed::keep);
        }
        end(store.remove(OWN, Testbed.class), failed, context);
        if (failed) {
            shared.map(Testbed::story).ifPresent(System.err::println);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Testbed shared = context.getStore(HERE).remove(SHARED, Testbed.class);
        boolean failed = context.getExecutionException().isPresent();
        end(shared, failed || shared != null && shared.isKept(), context);
    }

    private static void end(@Nullable Testbed testbed, boolean failed, ExtensionContext context) {
        if (testbed == null) {
            return;
        }
        testbed.close();
        if (failed) {
            System.err.println(context.getDisplayName() + " failed; everything is kept in " + testbed.directory());
            System.err.println(testbed.story());
        } else {
            Trees.delete(testbed.directory());
        }
    }
}
