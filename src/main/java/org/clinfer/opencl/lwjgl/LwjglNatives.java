package org.clinfer.opencl.lwjgl;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.clinfer.cache.LibraryFolder;
import org.jspecify.annotations.Nullable;
import org.lwjgl.Version;
import org.lwjgl.opencl.CL;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.Library;
import org.lwjgl.system.Platform;

/** LWJGL's native part, and through it the OpenCL library. */
final class LwjglNatives {

    private LwjglNatives() {}

    /**
     * Loads both, unless another user of LWJGL in this process has.
     *
     * @param library path or name of the OpenCL library; empty for the system's own
     * @param folder where LWJGL's own library is written to: LWJGL would look for a place itself, also in folders that
     *     others write to, and in the working folder
     * @return the handlers of signals before drivers were loaded
     * @throws LinkageError if either cannot be loaded
     */
    static SignalHandlers load(String library, LibraryFolder folder) {
        Configuration.OPENCL_EXPLICIT_INIT.set(true);
        if (Configuration.DISABLE_HASH_CHECKS.get() == null) {
            // only a diagnosis, and a hash of the library in code that is interpreted
            Configuration.DISABLE_HASH_CHECKS.set(true);
        }
        silence();
        loadOwn(folder);
        SignalHandlers handlers = SignalHandlers.now();
        if (!isLoaded()) {
            create(library.isEmpty() ? systemNames() : List.of(library));
        }
        return handlers;
    }

    /** LWJGL would print a message about a library that it does not find, which the exception has, too. */
    private static void silence() {
        boolean isAsked = Configuration.DEBUG.get(false) || Configuration.DEBUG_LOADER.get(false);
        if (!isAsked && Configuration.DEBUG_STREAM.get() == null) {
            Configuration.DEBUG_STREAM.set(
                    new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        }
    }

    private static void loadOwn(LibraryFolder folder) {
        if (Configuration.LIBRARY_NAME.get() == null) {
            String name = System.mapLibraryName("lwjgl");
            URL inJar = inJar(name);
            if (inJar != null) {
                try {
                    Configuration.LIBRARY_NAME.set(folder.extracted(inJar, name).toString());
                } catch (IOException unwritable) {
                    throw new UncheckedIOException(unwritable);
                }
            }
        }
        try {
            Library.initialize();
        } catch (UnsatisfiedLinkError missing) {
            throw withRemedy(missing);
        }
    }

    /**
     * LWJGL's library for this system: Clinfer's jar has it of one version of LWJGL, of any other one it is in a jar of
     * LWJGL, if that is there.
     */
    private static @Nullable URL inJar(String name) {
        String file = String.join(
                "/",
                Platform.get().getName().toLowerCase(Locale.ROOT),
                Platform.getArchitecture().name().toLowerCase(Locale.ROOT),
                "org/lwjgl",
                name);
        URL own = LwjglNatives.class.getResource("natives/" + version() + "/" + file);
        return own == null ? Library.class.getClassLoader().getResource(file) : own;
    }

    /** The version of LWJGL without that of its build: {@code 3.4.3}. */
    private static String version() {
        return Version.getVersion().split("[+ -]", 2)[0];
    }

    private static UnsatisfiedLinkError withRemedy(UnsatisfiedLinkError missing) {
        UnsatisfiedLinkError refusal = new UnsatisfiedLinkError("the native library of LWJGL " + version()
                + " cannot be loaded (" + missing.getMessage() + "); use the version of LWJGL that Clinfer asks for, or"
                + " add the jar of LWJGL's natives of the same version for " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch"));
        refusal.addSuppressed(missing);
        return refusal;
    }

    /** The names that OpenCL loaders really have: Linux installs {@code libOpenCL.so} with development packages alone. */
    private static List<String> systemNames() {
        return switch (Platform.get()) {
            case LINUX, FREEBSD -> List.of("libOpenCL.so.1", "libOpenCL.so");
            case WINDOWS -> List.of("OpenCL.dll");
            case MACOSX -> List.of("OpenCL.framework");
        };
    }

    /** Loads the first of these libraries that there is. */
    private static void create(List<String> names) {
        UnsatisfiedLinkError first = null;
        for (String name : names) {
            try {
                Configuration.OPENCL_LIBRARY_NAME.set(name);
                CL.create();
                return;
            } catch (UnsatisfiedLinkError missing) {
                first = first == null ? missing : first;
            }
        }
        throw first == null ? new UnsatisfiedLinkError("no name of an OpenCL library") : first;
    }

    /**
     * {@return whether another user of LWJGL in this process has loaded OpenCL already; LWJGL answers no by throwing}
     */
    private static boolean isLoaded() {
        try {
            return CL.getFunctionProvider() != null;
        } catch (IllegalStateException notLoaded) {
            return false;
        }
    }
}
