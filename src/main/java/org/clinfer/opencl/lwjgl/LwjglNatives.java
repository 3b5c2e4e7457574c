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
     * @throws LinkageError if either cannot be loaded
     */
    static void load(String library, LibraryFolder folder) {
        Configuration.OPENCL_EXPLICIT_INIT.set(true);
        if (Configuration.DISABLE_HASH_CHECKS.get() == null) {
            // only a diagnosis, and a hash of the library in code that is interpreted
            Configuration.DISABLE_HASH_CHECKS.set(true);
        }
        silence();
        loadOwn(folder);
        if (!isLoaded()) {
            create(library.isEmpty() ? systemNames() : List.of(library));
        }
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
        String name = System.mapLibraryName("lwjgl");
        String resource = String.join(
                "/",
                Platform.get().getName().toLowerCase(Locale.ROOT),
                Platform.getArchitecture().name().toLowerCase(Locale.ROOT),
                "org/lwjgl",
                name);
        URL inJar = Library.class.getClassLoader().getResource(resource);
        if (inJar != null && Configuration.LIBRARY_NAME.get() == null) {
            try {
                Configuration.LIBRARY_NAME.set(folder.extracted(inJar, name).toString());
            } catch (IOException unwritable) {
                throw new UncheckedIOException(unwritable);
            }
        }
        Library.initialize();
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

    /** Whether another user of LWJGL in this process has loaded OpenCL already; LWJGL answers no by throwing. */
    private static boolean isLoaded() {
        try {
            return CL.getFunctionProvider() != null;
        } catch (IllegalStateException notLoaded) {
            return false;
        }
    }
}
