package io.longhaul.it.testbed;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test its {@link Testbed}.
 *
 * <p>The directory lies under {@code target/testbed}, or what the system property {@code longhaul.testbed} says; it is
 * removed when the test succeeds, and named when it fails.
 */
public final class TestbedExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(TestbedExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Testbed.class;
    }

    @Override
    public Testbed resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(HERE).getOrComputeIfAbsent(Testbed.class, key -> open(context), Testbed.class);
    }

    private static Testbed open(ExtensionContext context) {
        String name = context.getRequiredTestClass().getSimpleName()
                + '.'
                + context.getRequiredTestMethod().getName();
        String number = context.getUniqueId().replaceAll(".*#(\\d+).*", "-$1");
        String suffix = number.startsWith("-") ? number : "";
        return Testbed.open(Path.of(System.getProperty("longhaul.testbed", "target/testbed"))
                .resolve(name + suffix));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Testbed testbed = context.getStore(HERE).remove(Testbed.class, Testbed.class);
        if (testbed == null) {
            return;
        }
        testbed.close();
        if (context.getExecutionException().isPresent()) {
            System.err.println(context.getDisplayName() + " failed; everything is kept in " + testbed.directory());
            System.err.println(testbed.story());
        } else {
            Trees.delete(testbed.directory());
        }
    }
}
