package org.clinfer;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.tensor.Tensor;
import org.slf4j.LoggerFactory;

/**
 * A program that embeds Clinfer, as a user would start it: {@code run MODEL DEVICE}, or {@code twice MODEL DEVICE} for two
 * class loaders of one process, at once. Prints what it finds, a line each, and logs a line of its own.
 */
public final class EmbeddedProgram {

    private EmbeddedProgram() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("run")) {
            run(Path.of(arguments[1]), arguments[2]);
            return;
        }
        try (URLClassLoader first = loader();
                URLClassLoader second = loader()) {
            Thread beside = new Thread(() -> runIn(second, arguments));
            beside.start();
            runIn(first, arguments);
            beside.join();
        }
    }

    private static void runIn(ClassLoader loader, String[] arguments) {
        try {
            loader.loadClass("org.clinfer.EmbeddedProgram")
                    .getDeclaredMethod("main", String[].class)
                    .invoke(null, (Object) new String[] {"run", arguments[1], arguments[2]});
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The class path of this process once more, with classes of its own. */
    private static URLClassLoader loader() throws MalformedURLException {
        URL[] path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(EmbeddedProgram::url)
                .toArray(URL[]::new);
        return new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException wrong) {
            throw new IllegalArgumentException(entry, wrong);
        }
    }

    private static void run(Path file, String device) {
        LoggerFactory.getLogger("app").info("the application starts");
        long sum = 0;
        for (int i = 0; i < 1_000_000; i++) {
            sum += divided(i, 3);
        }
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(DeviceChoice.parse(device)));
                Model model = engine.load(file);
                Session session = model.session();
                Tensor input = Tensor.allocate(model.inputs().get(0).type());
                Result result = session.run(Map.of(model.inputs().get(0).name(), input))) {
            System.out.println("device: " + engine.deviceNote());
            System.out.println("path: " + engine.cpuPath());
            System.out.println("outputs: " + result.outputs().keySet());
        }
        try {
            System.out.println("divided: " + divided((int) (sum & 1) + 1, 0));
        } catch (ArithmeticException expected) {
            System.out.println("division: " + expected.getMessage());
        }
    }

    private static int divided(int a, int b) {
        return a / b;
    }
}
