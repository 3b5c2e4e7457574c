package org.clinfer.opencl.jocl;

import java.io.File;
import java.lang.reflect.Method;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.clinfer.cache.LibraryFolder;
import org.jocl.CL;
import org.jspecify.annotations.Nullable;

/** JOCL's native part, and through it the OpenCL library. */
final class JoclNatives {

    private static final String TEMPORARY = "java.io.tmpdir";

    private JoclNatives() {}

    /**
     * Loads both, and switches off for the process what JOCL prints.
     *
     * @param library path or name of the OpenCL library; empty for the system's own
     * @param folder where JOCL's own library is written to
     * @throws LinkageError if either cannot be loaded
     */
    static void load(String library, LibraryFolder folder) {
        if (new File(library).isAbsolute()) {
            // The system's linker takes a library by the name in its file: JOCL, asking for libOpenCL.so.1, gets this
            // one.
            System.load(library);
        }
        try {
            initialize(folder);
        } catch (LinkageError missing) {
            throw library.isEmpty() ? missing : notTaken(library, missing);
        }
        if (!library.isEmpty()) {
            take(library);
        }
    }

    /** JOCL writes its library to the folder of this property and nowhere else; Java itself has read it long before. */
    private static void initialize(LibraryFolder folder) {
        String usual = System.getProperty(TEMPORARY);
        System.setProperty(TEMPORARY, folder.path().toString());
        try (Silence unused = Silence.begun()) {
            CL.setLogLevel(CL.LogLevel.LOG_QUIET);
        } finally {
            System.setProperty(TEMPORARY, usual);
        }
    }

    /** Points JOCL to another library than the one that it has found. */
    private static void take(String library) {
        try {
            Method load = CL.class.getDeclaredMethod("initNativeLibrary", String.class);
            load.setAccessible(true);
            if (!(boolean) load.invoke(null, library)) {
                throw new UnsatisfiedLinkError("Could not load " + library);
            }
        } catch (ReflectiveOperationException changed) {
            throw new UnsatisfiedLinkError("JOCL cannot be told to load " + library + ": " + changed);
        }
    }

    private static LinkageError notTaken(String library, LinkageError missing) {
        UnsatisfiedLinkError refusal = new UnsatisfiedLinkError(library
                + " cannot be used: JOCL loads libOpenCL.so.1 before it can be told of another library, and there is"
                + " none");
        refusal.addSuppressed(missing);
        return refusal;
    }

    /**
     * JOCL's native part prints on the standard output which libraries it could not load, before any call can be made
     * from outside; but between loading itself and the first of those it tells the log of Java.
     */
    private static final class Silence extends Handler implements AutoCloseable {

        private final Logger log = Logger.getLogger("org.jocl.LibUtils");
        private final @Nullable Level level = log.getLevel();
        private final boolean toParents = log.getUseParentHandlers();

        static Silence begun() {
            Silence silence = new Silence();
            silence.log.setUseParentHandlers(false);
            silence.log.setLevel(Level.FINE);
            silence.log.addHandler(silence);
            return silence;
        }

        @Override
        public void publish(LogRecord told) {
            if (told.getMessage().endsWith("DONE")) {
                CL.setLogLevel(CL.LogLevel.LOG_QUIET);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            log.removeHandler(this);
            log.setLevel(level);
            log.setUseParentHandlers(toParents);
        }
    }
}
