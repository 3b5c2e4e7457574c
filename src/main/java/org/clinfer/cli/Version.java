package org.clinfer.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}: the jar's version and the Java it runs on. */
final class Version implements IVersionProvider {

    /** The jar's version; empty where the program does not run from one. */
    static Optional<String> ofJar() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion());
    }

    @Override
    public String[] getVersion() {
        String java = System.getProperty("java.version") + " (" + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ")";
        return new String[] {"clinfer " + ofJar().orElse("(not from a jar)"), "Java " + java};
    }
}
