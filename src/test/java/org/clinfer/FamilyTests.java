package org.clinfer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Networks for tests of what the converters of families of devices make of them. */
abstract class FamilyTests {

    static final int CHANNELS = 4;

    final GraphBuilder builder = new GraphBuilder("net", new SourceRef("test", ""))
            .input("x", DType.FLOAT32, 1, CHANNELS, 8, 8)
            .constant("w", Tensor.allocate(DType.FLOAT32, CHANNELS, CHANNELS, 3, 3));

    FamilyTests conv(String name, String from) {
        builder.node(
                name, "Conv2d", List.of(from, "w"), List.of(name), Map.of("padding", Attribute.ofInts(1, 1, 1, 1)));
        return this;
    }

    FamilyTests norm(String name, String from) {
        for (String each : List.of("scale", "bias", "mean", "variance")) {
            builder.constant(each, Tensor.allocate(DType.FLOAT32, CHANNELS));
        }
        builder.node(name, "BatchNorm", List.of(from, "scale", "bias", "mean", "variance"), List.of(name), Map.of());
        return this;
    }

    /** A convolution without padding. */
    FamilyTests bareConv(String name, String from) {
        builder.node(name, "Conv2d", List.of(from, "w"), List.of(name), Map.of());
        return this;
    }

    /** Widths before and after each of four axes. */
    FamilyTests pad(String name, String from, String mode, double value, long... widths) {
        builder.node(
                name,
                "Pad",
                List.of(from),
                List.of(name),
                Map.of(
                        "pad_with", Attribute.ofInts(widths),
                        "mode", Attribute.of(mode),
                        "constant_value", Attribute.of(value)));
        return this;
    }

    /** A constant with so many elements along each axis. */
    FamilyTests constant(String name, long... dims) {
        builder.constant(name, Tensor.allocate(DType.FLOAT32, dims));
        return this;
    }

    FamilyTests node(String name, String op, String... from) {
        builder.node(name, op, List.of(from), List.of(name), Map.of());
        return this;
    }

    Graph output(String... names) {
        Stream.of(names).forEach(builder::output);
        return builder.build();
    }

    static CheckReport check(CapabilityChecker checker, Graph graph, String profile) {
        return checker.check(graph, Map.of(), ProfileCatalog.builtIn().find(profile), Reading.DOCUMENT);
    }

    static CheckReport check(Graph graph) {
        return check(CapabilityChecker.builtIn().withFloat32As(DType.INT8), graph, "edgetpu");
    }

    /** What became of each node: its verdict, or the node that it is part of. */
    static Map<String, String> fates(CheckReport report) {
        Map<String, String> fates = new LinkedHashMap<>();
        report.nodes()
                .forEach(node -> fates.put(
                        node.node(),
                        node.converted()
                                .map(Object::toString)
                                .orElse(node.verdict().label())));
        return fates;
    }

    /** A constant of one element. */
    FamilyTests number(String name, float value) {
        builder.constant(name, Tensor.of(new float[] {value}, 1));
        return this;
    }
}
