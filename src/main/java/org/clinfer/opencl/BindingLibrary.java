package org.clinfer.opencl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.clinfer.cache.LibraryFolder;
import org.clinfer.opencl.jocl.JoclClApi;
import org.clinfer.opencl.lwjgl.LwjglClApi;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;
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

    /**
     * The outcome of loading.
     *
     * @param api the calls; null where they cannot be had
     * @param reason why they cannot be had; with calls, why this binding is used; empty for the first of those that
     *     could be
     */
    record Outcome(ClBinding binding, @Nullable ClApi api, String reason) {

        String name() {
            return binding.name().toLowerCase(Locale.ROOT);
        }

        /** The reason why there is no OpenCL. */
        String failure() {
            return "the OpenCL library cannot be loaded (" + reason + ")" + INSTALL;
        }
    }

    /** This binding and no other. */
    static Outcome of(ClBinding binding) {
        return switch (binding) {
            case LWJGL -> Lwjgl.OUTCOME;
            case JOCL -> Jocl.OUTCOME;
        };
    }

    /** The first binding that can be loaded. */
    static Outcome any() {
        List<String> refusals = new ArrayList<>();
        for (ClBinding binding : ClBinding.values()) {
            Outcome outcome = of(binding);
            if (outcome.api() != null) {
                return refusals.isEmpty()
                        ? outcome
                        : new Outcome(binding, outcome.api(), BindingUse.INSTEAD + String.join("; ", refusals));
            }
            refusals.add(outcome.reason());
        }
        return new Outcome(ClBinding.LWJGL, null, String.join("; ", refusals));
    }

    // A reference to the method would look for the binding's classes here, where nothing catches that they are not
    // there.
    private static final class Lwjgl {
        static final Outcome OUTCOME = load(ClBinding.LWJGL, (library, folder) -> LwjglClApi.load(library, folder));
    }

    private static final class Jocl {
        static final Outcome OUTCOME = load(ClBinding.JOCL, (library, folder) -> JoclClApi.load(library, folder));
    }

    private interface Loading {
        ClApi load(String library, LibraryFolder folder);
    }

    private static Outcome load(ClBinding binding, Loading loading) {
        try (LibraryFolder folder = LibraryFolder.of(CacheFolder.current())) {
            return new Outcome(binding, loading.load(System.getProperty("clinfer.opencl.library", ""), folder), "");
        } catch (IncompatibleClassChangeError mixed) {
            return new Outcome(
                    binding, null, binding + ": its classes are of several versions (" + mixed + "); use one version");
        } catch (LinkageError | IOException | UncheckedIOException missing) {
            Throwable cause = missing.getCause() == null ? missing : missing.getCause();
            if (cause instanceof ClassNotFoundException) {
                return new Outcome(
                        binding, null, binding + ": its classes cannot be found (" + cause.getMessage() + ")");
            }
            String message = String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
            return new Outcome(binding, null, binding + ": " + message);
        }
    }
}
