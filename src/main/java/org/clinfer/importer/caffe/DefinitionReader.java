package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** Makes a network's definition of its file's fields, whatever the version of the format. */
final class DefinitionReader {

    private static final int MOST_LAYERS = 100_000;
    private static final int OLD_RANK = 4;

    private final SourceRef source;
    private final CaffeFields net;

    private DefinitionReader(Block net, SourceRef source) {
        this.source = source;
        this.net = new CaffeFields(net, source, "");
    }

    /**
     * The definition.
     *
     * @throws GraphException if a field is not what it must be
     */
    static Definition read(Block net, SourceRef source) {
        DefinitionReader reader = new DefinitionReader(net, source);
        String name = reader.net.text("name").orElse("");
        Definition definition = new Definition(name, reader.inputs(), reader.layers());
        reader.net.ignore("force_backward", "debug_info");
        for (String field : reader.net.block().fields().keySet()) {
            if (!reader.net.wasRead(field) && !field.startsWith(BinaryReader.NUMBERED)) {
                throw reader.net.wrong(Printable.shortened(field), "a network has no such field");
            }
        }
        return definition;
    }

    private List<Definition.Input> inputs() {
        List<String> names = net.texts("input");
        List<CaffeFields> shapes = net.messages("input_shape");
        List<Long> dims = net.integers("input_dim", 0);
        List<Definition.Input> inputs = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Shape shape;
            if (i < shapes.size()) {
                shape = shape(shapes.get(i));
            } else if (dims.size() >= OLD_RANK * (i + 1)) {
                shape = Shape.of(dims.subList(OLD_RANK * i, OLD_RANK * (i + 1)));
            } else {
                shape = anyPicture();
            }
            inputs.add(new Definition.Input(names.get(i), shape));
        }
        return inputs;
    }

    /** Four axes of sizes that the file does not tell. */
    static Shape anyPicture() {
        return new Shape(List.of(Dim.unknown(), Dim.unknown(), Dim.unknown(), Dim.unknown()));
    }

    /** The shape that a message has in its {@code dim}. */
    static Shape shape(CaffeFields message) {
        List<Long> dims = message.integers("dim", 0);
        Shape shape = Shape.of(dims);
        if (dims.size() > Blobs.MOST_DIMS || !new TensorType(DType.FLOAT32, shape).fits()) {
            throw message.wrong("dim", "the shape " + Printable.shortened(shape.toString()) + " is too large");
        }
        return shape;
    }

    private List<CaffeLayer> layers() {
        Inclusion inclusion = Inclusion.of(net);
        List<CaffeLayer> layers = new ArrayList<>();
        int number = 0;
        for (String field : List.of("layers", "layer")) {
            for (CaffeFields fields : net.messages(field)) {
                if (number >= MOST_LAYERS) {
                    throw new GraphException(source, "the network has more than " + MOST_LAYERS + " layers");
                }
                CaffeLayer layer = layer(fields.block(), number++);
                if (inclusion.includes(new CaffeFields(layer.block(), layer.source(), ""))) {
                    layers.add(layer);
                }
            }
        }
        return layers;
    }

    private CaffeLayer layer(Block written, int number) {
        Block block = written;
        List<Item> inner = written.all("layer");
        if (!inner.isEmpty() && inner.get(0) instanceof Block oldest) {
            block = OldLayers.upgraded(written, oldest);
        }
        CaffeFields bare = new CaffeFields(block, new SourceRef(source.file(), "layer " + number), "");
        String name = bare.text("name").orElse("");
        String type = bare.text("type").map(OldLayers::type).orElse("");
        SourceRef place = new SourceRef(
                source.file(),
                "layer " + number + " '" + Printable.shortened(name) + "' (" + Printable.shortened(type) + ")");
        if (type.isEmpty()) {
            throw new GraphException(place, "it has no type");
        }
        CaffeFields fields = new CaffeFields(block, place, "");
        return new CaffeLayer(name, type, fields.texts("bottom"), fields.texts("top"), block, place);
    }
}
