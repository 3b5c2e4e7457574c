package org.clinfer.opencl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.options.ClBinding;

/**
 * Opens OpenCL twice and prints what came of it, builds a program that compilers warn of, and prints the OpenCL
 * libraries that it loaded; run in a process of its own.
 */
final class OpenClProbe {

    private OpenClProbe() {}

    private static final String CARELESS =
            "int f(int x) { if (x) return 1; } kernel void k(global int *x) { *x = f(*x); }";

    /** Takes the name of a binding, or nothing. */
    public static void main(String[] arguments) throws IOException {
        Optional<ClBinding> asked = Stream.of(arguments).findFirst().map(ClBinding::valueOf);
        for (int i = 0; i < 2; i++) {
            System.out.println(describe(OpenCl.open(asked)));
        }
        if (OpenCl.open(asked) instanceof ClLoad.Available available) {
            OpenCl openCl = available.openCl();
            try (ClContext context = openCl.context(openCl.devices().get(0))) {
                context.program("careless", CARELESS, "").close();
            }
        }
        System.out.println("LOADED " + loaded());
    }

    private static String describe(ClLoad load) {
        if (load instanceof ClLoad.Available available) {
            OpenCl openCl = available.openCl();
            return "AVAILABLE " + openCl.binding() + " " + openCl.problems();
        }
        return "MISSING " + ((ClLoad.Missing) load).reason();
    }

    /** The files of the OpenCL loaders in this process. */
    static List<Path> loaded() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.matches(".*/lib[^/]*OpenCL[^/]*"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .distinct()
                    .toList();
        }
    }
}
