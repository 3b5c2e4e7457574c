package org.clinfer.opencl;

import java.util.List;

/** Opens OpenCL twice and prints what came of it; run in a process of its own. */
final class OpenClProbe {

    private OpenClProbe() {}

    public static void main(String[] arguments) {
        for (int i = 0; i < 2; i++) {
            System.out.println(describe(OpenCl.open(Binding.valueOf(arguments[0]))));
        }
    }

    private static String describe(ClLoad load) {
        if (load instanceof ClLoad.Available available) {
            List<String> problems = available.openCl().problems();
            return "AVAILABLE " + problems;
        }
        return "MISSING " + ((ClLoad.Missing) load).reason();
    }
}
