package org.clinfer.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the jar's version and the Java it runs on. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        String java = System.getProperty("java.version") + " (" + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ")";
        return new String[] {"clinfer " + (version == null ? "(not from a jar)" : version), "Java " + java};
    }
}
