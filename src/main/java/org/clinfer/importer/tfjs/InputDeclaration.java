package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** An input as its layer declares it; a size that is null may be any, the first of them being that of the batch. */
record InputDeclaration(String name, TensorType type) {

    private static final int MAX_RANK = 64;

    static InputDeclaration of(Topology topology, TfjsLayer.TensorRef input, SourceRef network) {
        TfjsLayer layer = topology.layers().stream()
                .filter(each -> each.name().equals(input.layer()) && each.isInput())
                .findFirst()
                .orElseThrow(() ->
                        new GraphException(network, "there is no input layer " + new Json.Text(input.layer()).shown()));
        TfjsFields config = new TfjsFields(layer.config(), layer.source(), "config");
        for (String kind : List.of("sparse", "ragged")) {
            if (config.flag(kind, false)) {
                throw new UnsupportedException(layer.source(), kind + " input", "it is " + kind);
            }
        }
        TensorType type = new TensorType(dtype(config), shape(config));
        if (!type.fits()) {
            throw new GraphException(layer.source(), "its type " + type + " is too large");
        }
        return new InputDeclaration(layer.name(), type);
    }

    private static DType dtype(TfjsFields config) {
        Optional<Json> found = config.find("dtype");
        if (found.isPresent() && found.get() instanceof Json.Obj) {
            TfjsFields policy = config.object("dtype").orElseThrow();
            return dtype(
                    policy.object("config").flatMap(name -> name.text("name")).orElse("float32"), config);
        }
        return dtype(config.text("dtype").orElse("float32"), config);
    }

    private static DType dtype(String label, TfjsFields config) {
        return DType.of(label).filter(dtype -> dtype != DType.U1).orElseThrow(() -> {
            String feature = "data type " + new Json.Text(label).shown();
            return new UnsupportedException(config.source(), feature, "its " + feature + " is not supported");
        });
    }

    private static Shape shape(TfjsFields config) {
        Optional<List<Json>> sizes = Optional.empty();
        for (String field : TopologyReader.SHAPES) {
            sizes = sizes.or(() -> config.list(field));
        }
        List<Json> found = sizes.orElseThrow(() -> new GraphException(config.source(), "it does not say its shape"));
        if (found.isEmpty() || found.size() > MAX_RANK) {
            throw new GraphException(config.source(), "a shape of " + found.size() + " sizes");
        }
        List<Dim> dims = new ArrayList<>();
        for (Json size : found) {
            if (size == Json.Nothing.NULL) {
                dims.add(dims.isEmpty() ? Dim.named("batch") : Dim.unknown());
            } else if (size instanceof Json.Int whole && whole.value() >= 0) {
                dims.add(Dim.of(whole.value()));
            } else {
                throw new GraphException(config.source(), "expected sizes from 0, or none, found " + size.shown());
            }
        }
        return new Shape(dims);
    }
}
