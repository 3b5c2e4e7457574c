package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.ConformanceEngine;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Assumptions;

/** Runs binary convolutions everywhere and compares what they give. */
final class BinaryRuns {

    private static final Path PUBLISHED =
            Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"), "binary-conv");

    private BinaryRuns() {}

    /** A public file about the operator, where it stands beside the checkout; else the test is skipped. */
    static Path published(String name) {
        Path file = PUBLISHED.resolve(name);
        Assumptions.assumeTrue(Files.isReadable(file), () -> file + " is not there");
        return file;
    }

    /** A case in a type, and what it gives. */
    record Expected(String name, BinaryCase of, DType type, Tensor y) {}

    private static final class Differences {

        private final List<String> found = new ArrayList<>();
        private int compared;

        void compare(Expected expected, String where, Map<String, Tensor> outputs) {
            compared++;
            Agreement.difference(BinaryCase.OP, Objects.requireNonNull(outputs.get("y")), expected.y)
                    .ifPresent(difference -> found.add(
                            expected.name + " " + expected.type + " " + where + " " + expected.of + ": " + difference));
        }

        void verify(int least) {
            assertThat(found).isEmpty();
            assertThat(compared).isGreaterThanOrEqualTo(least);
        }
    }

    static void onTheCpu(List<Expected> cases) {
        Differences differences = new Differences();
        try (ConformanceEngine cpu = ConformanceEngine.cpu()) {
            for (Expected each : cases) {
                cpu.run(
                        each.of.graph(each.type),
                        Map.of("x", each.of.input(each.type)),
                        (outputs, placement) -> differences.compare(each, "cpu", outputs));
            }
        }
        differences.verify(cases.size());
    }

    static void withEveryVariant(List<Expected> cases) {
        Differences differences = new Differences();
        try (ConformanceEngine device = ConformanceEngine.device(ClBinding.LWJGL)) {
            for (Expected each : cases) {
                device.runVariants(
                        BinaryCase.OP,
                        each.of.graph(each.type),
                        Map.of("x", each.of.input(each.type)),
                        (variant, outputs) -> differences.compare(each, variant, outputs));
            }
        }
        differences.verify(2 * cases.size());
    }

    static void asPlaced(List<Expected> cases) {
        Differences differences = new Differences();
        try (ConformanceEngine device = ConformanceEngine.device(ClBinding.JOCL)) {
            for (Expected each : cases) {
                device.run(
                        each.of.graph(each.type),
                        Map.of("x", each.of.input(each.type)),
                        (outputs, placement) -> differences.compare(each, "placed", outputs));
            }
        }
        differences.verify(cases.size());
    }
}
