package org.clinfer.robustness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.CapabilityChecker;
import org.clinfer.graph.Graph;

/** A small classifier that profiles hold against their limits. */
public final class CheckedNetwork {

    private CheckedNetwork() {}

    public static Graph read(CapabilityChecker checker) {
        try {
            Path file = Files.createTempFile("clinfer-fuzz-", ".onnx");
            try {
                return checker.read(Files.write(file, SeedModels.network().bytes()));
            } finally {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
