package org.clinfer.opencl;

import org.clinfer.opencl.jocl.JoclClApi;
import org.clinfer.opencl.lwjgl.LwjglClApi;
import org.jspecify.annotations.Nullable;

/**
 * The native libraries of each binding, loaded at most once per process.
 *
 * <p>A class whose static initialiser failed reports another error the second time, so the first outcome is kept.
 */
final class BindingLibrary {

    private static final String INSTALL =
            "; install an OpenCL loader and a driver, for example the packages ocl-icd-libopencl1 and"
                    + " pocl-opencl-icd (CPU), or the driver of your GPU's vendor";

    private BindingLibrary() {}

    /** The outcome of loading: exactly one of the two is there. */
    record Outcome(@Nullable ClApi api, String failure) {}

    static Outcome of(Binding binding) {
        return switch (binding) {
            case LWJGL -> Lwjgl.OUTCOME;
            case JOCL -> Jocl.OUTCOME;
        };
    }

    private static final class Lwjgl {
        static final Outcome OUTCOME = loadLwjgl();
    }

    private static final class Jocl {
        static final Outcome OUTCOME = loadJocl();
    }

    private static Outcome loadLwjgl() {
        try {
            return new Outcome(LwjglClApi.load(System.getProperty("clinfer.opencl.library", "")), "");
        } catch (LinkageError missing) {
            return failed(Binding.LWJGL, missing);
        }
    }

    private static Outcome loadJocl() {
        try {
            return new Outcome(JoclClApi.load(), "");
        } catch (LinkageError missing) {
            return failed(Binding.JOCL, missing);
        }
    }

    private static Outcome failed(Binding binding, LinkageError missing) {
        Throwable cause = missing.getCause() == null ? missing : missing.getCause();
        String message = String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
        return new Outcome(null, "the OpenCL library cannot be loaded (" + binding + ": " + message + ")" + INSTALL);
    }
}
