package org.clinfer.importer.onnx;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Specializations;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.Tensor;

/** The graphs of a model with sequences or optional values, written anew for what a run is given. */
final class OnnxSpecializations implements Specializations {

    private final ModelProto model;
    private final ModelSource file;
    private final OpCatalog catalog;
    private final Graph usual;
    private final boolean isOpen;
    private final Map<String, Kind> kinds;

    /**
     * The graphs of a model.
     *
     * @param usual the graph that was written for no run
     * @param isOpen whether that leaves open what some nodes mean
     */
    OnnxSpecializations(ModelProto model, ModelSource file, OpCatalog catalog, Graph usual, boolean isOpen) {
        this.model = withoutData(model, usual.constants());
        this.file = file;
        this.catalog = catalog;
        this.usual = usual;
        this.isOpen = isOpen;
        this.kinds = DeclaredTypes.kinds(model.getGraph());
    }

    /** A copy that needs neither the bytes nor the file of the model, without the data of constants that there are. */
    private static ModelProto withoutData(ModelProto model, Map<String, Tensor> constants) {
        GraphProto.Builder graph = model.getGraph().toBuilder();
        for (int i = 0; i < graph.getInitializerCount(); i++) {
            String name = graph.getInitializer(i).getName();
            if (constants.containsKey(name)) {
                graph.setInitializer(i, TensorProto.newBuilder().setName(name));
            }
        }
        try {
            return ModelProto.parseFrom(
                    model.toBuilder().setGraph(graph).build().toByteArray());
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public Map<String, Kind> kinds() {
        return kinds;
    }

    @Override
    public boolean isUsual(Map<String, Tensor> inputs) {
        return !isOpen
                && usual.inputs().stream()
                        .map(Graph.Input::name)
                        .filter(kinds::containsKey)
                        .allMatch(name -> isUsual(name, Objects.requireNonNull(kinds.get(name)), inputs));
    }

    /** Lists, those without values, and what is not there have graphs of their own. */
    private static boolean isUsual(String input, Kind kind, Map<String, Tensor> inputs) {
        Tensor given = inputs.get(input);
        if (given == null) {
            return !kind.isOptional() && !inputs.containsKey(Specializations.value(input, 0));
        }
        return !kind.isSequence() || given.shape().rank() == 0 || given.shape().sizes()[0] > 0;
    }

    @Override
    public Specialization of(Map<String, Tensor> inputs) {
        try (ExternalData external = new ExternalData(file)) {
            OnnxTranslation translation = new OnnxTranslation(
                    model,
                    file.name(),
                    new OnnxTensorReader(external),
                    catalog,
                    UnsupportedLayers.REFUSED,
                    Optional.of(new OnnxTranslation.Run(inputs, usual.constants())));
            Graph graph = translation.translate();
            return new Specialization(graph, translation.deciding());
        } catch (IOException failed) {
            throw new GraphException(file.ref(), "cannot be read: " + failed.getMessage(), failed);
        }
    }
}
