package org.clinfer.importer.onnx.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.describe.AttributeValues;
import org.clinfer.describe.Composition;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Inference;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.onnx.OnnxElementTypes;
import org.clinfer.importer.onnx.OnnxMetadata;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Writes graphs as ONNX models with their weights inside. */
public final class OnnxExporter {

    /** Nodes that one message names at most. */
    private static final int MOST = 32;

    private final OpCatalog catalog;
    private final WriterTable table = new WriterTable();

    /** @param catalog the operators there are, from whose descriptions the types of values follow */
    public OnnxExporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * The file that holds a graph. It stands over the memory of the graph's constants, which must stay open until it
     * has been written.
     *
     * @throws UnsupportedException if ONNX cannot say what nodes do, all of which are named, or if the file would be
     *     larger than one can be
     */
    public Content content(Graph graph) {
        return new Content(model(graph));
    }

    /** The content of one file. */
    public static final class Content {

        private final ModelProto model;

        private Content(ModelProto model) {
            this.model = model;
        }

        /** Writes it; the stream stays open. */
        public void writeTo(OutputStream out) throws IOException {
            model.writeTo(out);
        }
    }

    private ModelProto model(Graph graph) {
        ValueTypes types = new ValueTypes(graph, new Inference(catalog));
        ModelWriter model = new ModelWriter(graph);
        List<UnsupportedException> refusals = new ArrayList<>();
        for (Graph.Input input : graph.inputs()) {
            refuseBits(graph, input.type().dtype(), "input '" + input.name() + "'", refusals);
        }
        graph.inputs().forEach(input -> model.require(input.type().dtype()));
        for (Node node : graph.nodes()) {
            try {
                write(node, types, model);
            } catch (UnsupportedException refusal) {
                refusals.add(refusal);
            }
        }
        Map<String, Tensor> constants = model.usedConstants();
        constants.values().forEach(tensor -> model.require(tensor.dtype()));
        constants.forEach((name, tensor) -> refuseBits(graph, tensor.dtype(), "constant '" + name + "'", refusals));
        if (!refusals.isEmpty()) {
            throw together(refusals, graph.source());
        }
        requireSize(model.nodes(), constants, graph.source());
        return model(graph, types, model, constants);
    }

    private void write(Node node, ValueTypes types, ModelWriter model) {
        if (node.isControl()) {
            writeControl(node, types, model);
            return;
        }
        Use use = new Use(node, types);
        Optional<NodeWriter> writer = table.find(node.op()).filter(found -> found.takes(use));
        if (writer.isEmpty() && writeParts(node, use, types, model)) {
            return;
        }
        writer.orElseThrow(use::refusedOperator).write(use, model);
        use.requireAllRead();
    }

    /** Writes the parts of a composed operator; false for one that is none, or of whose inputs too little is known. */
    private boolean writeParts(Node node, Use use, ValueTypes types, ModelWriter model) {
        Optional<Composition> composition = catalog.find(node.op())
                .flatMap(op -> use.binding().flatMap(binding -> Composition.of(node, op, binding, catalog)));
        if (composition.isEmpty()) {
            return false;
        }
        composition.get().constants().forEach((name, tensor) -> {
            model.constant(name, tensor);
            types.note(name, tensor);
        });
        for (Composition.Part part : composition.get().parts()) {
            Node inner = part.node();
            if (!AttributeValues.areKnown(part.params())) {
                throw use.refused("an input whose sizes are not known");
            }
            write(
                    new Node(
                            inner.name(),
                            inner.op(),
                            inner.inputs(),
                            inner.outputs(),
                            AttributeValues.attributes(part.params()),
                            inner.source()),
                    types,
                    model);
        }
        return true;
    }

    /** Writes an If or Loop; in ONNX its graphs read the values around them by their names. */
    private void writeControl(Node node, ValueTypes types, ModelWriter model) {
        AttributeWriter attributes = new AttributeWriter();
        int own = node.op().equals(ControlFlow.LOOP) ? 2 + ControlFlow.states(node) : 0;
        List<List<KnownType>> given = new ArrayList<>();
        node.bodies().forEach((name, body) -> {
            ValueTypes inside = types.inner(body);
            ModelWriter writer = model.inner(body);
            body.nodes().forEach(each -> write(each, inside, writer));
            GraphProto.Builder proto = GraphProto.newBuilder().setName(name).addAllNode(writer.nodes());
            writer.usedConstants().forEach((constant, tensor) -> {
                requireNoBits(tensor.dtype(), node.source(), "constant '" + constant + "'");
                model.require(tensor.dtype());
                proto.addInitializer(Tensors.proto(constant, tensor));
            });
            for (Graph.Input input : body.inputs().subList(0, own)) {
                proto.addInput(value(input.name(), KnownType.of(input.type())));
            }
            body.outputs().forEach(output -> proto.addOutput(value(output, inside.of(output))));
            given.add(body.outputs().stream().map(inside::of).toList());
            attributes.put(name, proto.build());
        });
        types.noteControl(node, given);
        int captured = ControlFlow.captured(node).size();
        List<String> inputs = node.inputs().subList(0, node.inputs().size() - captured);
        model.node(node.name(), node.op(), inputs, node.outputs(), attributes);
    }

    private static void requireNoBits(DType dtype, SourceRef source, String what) {
        if (dtype == DType.U1) {
            throw new UnsupportedException(source, "data type u1", "ONNX has no data type u1, that of " + what);
        }
    }

    private static void refuseBits(Graph graph, DType dtype, String what, List<UnsupportedException> refusals) {
        if (dtype == DType.U1) {
            SourceRef source = new SourceRef(graph.source().file(), what);
            refusals.add(new UnsupportedException(source, "data type u1", "ONNX has no data type u1"));
        }
    }

    /** All that cannot be written, in one message. */
    private static UnsupportedException together(List<UnsupportedException> refusals, SourceRef source) {
        if (refusals.size() == 1) {
            return refusals.get(0);
        }
        String features = refusals.stream()
                .map(UnsupportedException::feature)
                .distinct()
                .limit(MOST)
                .collect(Collectors.joining(", "));
        String file = source.file() + ": ";
        String reasons = refusals.stream()
                .limit(MOST)
                .map(refusal -> String.valueOf(refusal.getMessage()))
                .map(message -> message.startsWith(file) ? message.substring(file.length()) : message)
                .collect(Collectors.joining("; "));
        int more = refusals.size() - MOST;
        return new UnsupportedException(
                source,
                features,
                refusals.size() + " nodes cannot be written as ONNX: " + reasons
                        + (more > 0 ? "; and " + more + " more" : ""));
    }

    /** A protobuf message ends at 2 GiB. */
    private static void requireSize(List<NodeProto> nodes, Map<String, Tensor> constants, SourceRef source) {
        long bytes = 1 << 20;
        for (NodeProto node : nodes) {
            bytes += node.getSerializedSize();
        }
        for (Map.Entry<String, Tensor> each : constants.entrySet()) {
            bytes += each.getValue().type().bytes() + 4L * each.getKey().length() + 128;
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new UnsupportedException(
                    source,
                    "ONNX file over 2 GiB",
                    "as one ONNX file it would have " + bytes + " bytes, but such files end at 2 GiB");
        }
    }

    private static ModelProto model(Graph graph, ValueTypes types, ModelWriter model, Map<String, Tensor> constants) {
        GraphProto.Builder proto = GraphProto.newBuilder()
                .setName(graph.name().isEmpty() ? "graph" : graph.name())
                .addAllNode(model.nodes());
        for (Map.Entry<String, Tensor> each : constants.entrySet()) {
            TensorProto tensor = Tensors.proto(each.getKey(), each.getValue());
            proto.addInitializer(tensor);
        }
        graph.inputs().forEach(input -> proto.addInput(value(input.name(), KnownType.of(input.type()))));
        graph.outputs().forEach(output -> proto.addOutput(value(output, types.of(output))));
        innerValues(graph).forEach(name -> proto.addValueInfo(value(name, types.of(name))));
        ModelProto.Builder file = ModelProto.newBuilder()
                .setIrVersion(formatVersion(model.opset()))
                .setProducerName("Clinfer")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(model.opset()));
        OnnxMetadata.write(graph.metadata(), file, proto);
        return file.setGraph(proto).build();
    }

    /** The values that nodes give to each other and that are described. */
    private static List<String> innerValues(Graph graph) {
        Set<String> described = new LinkedHashSet<>(graph.metadata().values().keySet());
        graph.inputs().forEach(input -> described.remove(input.name()));
        graph.outputs().forEach(described::remove);
        described.removeAll(graph.constants().keySet());
        return List.copyOf(described);
    }

    /** The first version of the format that has an operator set. Source: {@code VERSION_TABLE} of onnx.helper. */
    private static int formatVersion(int opset) {
        if (opset <= 18) {
            return 8;
        } else if (opset <= 22) {
            return opset <= 20 ? 9 : 10;
        } else if (opset <= 25) {
            return opset - 12;
        }
        return opset <= 27 ? 13 : 14;
    }

    private static ValueInfoProto value(String name, KnownType type) {
        ValueInfoProto.Builder value = ValueInfoProto.newBuilder().setName(name);
        type.whole()
                .filter(known -> known.dtype() != DType.U1)
                .ifPresent(known -> value.setType(TypeProto.newBuilder().setTensorType(tensorType(known))));
        return value.build();
    }

    private static TypeProto.Tensor tensorType(TensorType type) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (Dim dim : type.shape().dims()) {
            TensorShapeProto.Dimension.Builder size = TensorShapeProto.Dimension.newBuilder();
            if (dim instanceof Dim.Known known) {
                size.setDimValue(known.size());
            } else if (dim instanceof Dim.Named named && !named.equals(Dim.unknown())) {
                size.setDimParam(named.name());
            }
            shape.addDim(size);
        }
        return TypeProto.Tensor.newBuilder()
                .setElemType(OnnxElementTypes.number(type.dtype()))
                .setShape(shape)
                .build();
    }
}
