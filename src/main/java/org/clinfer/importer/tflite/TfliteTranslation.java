package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.errors.Printable;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.LayerTranslator;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.Params;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.UntypedException;
import org.clinfer.importer.Value;
import org.clinfer.tensor.TensorType;

/** One network's way from its operators, which stand in the order of a run, to a graph. */
final class TfliteTranslation {

    static final LayerTable<TfliteCall> OPERATORS = LayerTable.of(
            TfliteElementLayers::addTo,
            TfliteBroadcastLayers::addTo,
            TfliteConvolutionLayers::addTo,
            TfliteTransposedLayers::addTo,
            TflitePoolingLayers::addTo,
            TfliteDetectionLayers::addTo,
            TfliteMatrixLayers::addTo,
            TfliteReductionLayers::addTo,
            TfliteNormalizationLayers::addTo,
            TfliteQuantizationLayers::addTo,
            TfliteShapeLayers::addTo,
            TfliteSliceLayers::addTo,
            TfliteSelectionLayers::addTo,
            TfliteBlockLayers::addTo,
            TfliteResizingLayers::addTo,
            TfliteRecurrentLayers::addTo);

    /** Operators at most; one may stand for several of the graph. */
    private static final int MOST_OPERATORS = 200_000;

    private final TfliteModel model;
    private final SourceRef source;
    private final OpCatalog catalog;
    private final NamedGraph graph;
    private final TfliteValues values;
    private final OpaqueLayers opaque;

    TfliteTranslation(TfliteModel model, OpCatalog catalog) {
        this.model = model;
        this.source = model.source();
        this.catalog = catalog;
        this.graph = new NamedGraph(source.file(), source, catalog);
        this.values = new TfliteValues(model, graph);
        this.opaque = new OpaqueLayers(graph, source);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every operator that is not supported, if they are refused
     */
    Graph translate(UnsupportedLayers unsupported) {
        if (model.operators().size() > MOST_OPERATORS) {
            throw new GraphException(source, "the network has more than " + MOST_OPERATORS + " operators");
        }
        model.tensors().forEach(tensor -> graph.reserve(tensor.name()));
        inputs();
        model.operators().forEach(this::operator);
        opaque.finish(unsupported);
        if (model.outputs().isEmpty()) {
            throw new GraphException(source, "the network has no outputs");
        }
        for (int output : model.outputs()) {
            output(output);
        }
        return graph.build();
    }

    private void inputs() {
        Set<String> names = new HashSet<>();
        for (int input : model.inputs()) {
            TfliteTensor tensor = model.tensor(input);
            String name = model.inputName(input);
            if (values.isKnown(input) || !names.add(name)) {
                throw new GraphException(tensor.source(), "it is an input twice, or has the name of another one");
            }
            values.put(input, new TfliteValue(input(name, tensor), false));
        }
    }

    private Value input(String name, TfliteTensor tensor) {
        try {
            TensorType type = tensor.type();
            graph.fixedInput(name, type);
            return new Value(name, type);
        } catch (UnsupportedException unsupported) {
            Value untyped = Value.untyped(name);
            opaque.refuse(
                    new OpaqueLayers.Layer(name, "input", tensor.source(), List.of(), List.of(untyped)), unsupported);
            return untyped;
        }
    }

    private void operator(TfliteOperator operator) {
        try {
            LayerTranslator<TfliteCall> translator = OPERATORS
                    .find(operator.type(), catalog, TfliteTranslation::described)
                    .orElseThrow(() -> LayerTable.unknown(operator.type(), operator.source()));
            requireGiven(operator);
            translated(operator, translator);
            values.keepForms();
        } catch (UnsupportedException unsupported) {
            values.dropForms();
            opaque.refuse(opaque(operator), unsupported);
        } catch (UntypedException follows) {
            values.dropForms();
            opaque.skip(opaque(operator));
        }
    }

    /** The operator as the file has it: what it takes as far as that can be read, and what it gives with the file's types. */
    private OpaqueLayers.Layer opaque(TfliteOperator operator) {
        TfliteCall call = new TfliteCall(operator, model, values, graph);
        List<Value> inputs = new ArrayList<>();
        for (int input = 0; input < call.inputs(); input++) {
            try {
                inputs.add(call.plain(input));
            } catch (UnsupportedException | UntypedException unreadable) {
                inputs.add(Value.NONE);
            }
        }
        call.finish();
        values.keepForms();
        List<Value> outputs = new ArrayList<>();
        for (int output : operator.outputs()) {
            Value value = declared(model.tensor(output));
            outputs.add(value);
            values.put(output, new TfliteValue(value, false));
        }
        return new OpaqueLayers.Layer(operator.name(), operator.type(), operator.source(), inputs, outputs);
    }

    private static Value declared(TfliteTensor tensor) {
        try {
            return new Value(tensor.name(), tensor.type());
        } catch (UnsupportedException unsupported) {
            return Value.untyped(tensor.name());
        }
    }

    private void requireGiven(TfliteOperator operator) {
        for (int input : operator.inputs()) {
            boolean given = input < 0 || values.isKnown(input);
            if (!given && !values.isConstant(input) && !model.tensor(input).isVariable()) {
                throw new GraphException(
                        operator.source(),
                        "its input '" + Printable.shortened(model.tensor(input).name())
                                + "' is no constant, and no operator before it gives it");
            }
        }
    }

    /** Custom operators that a user has described have no parameters here. */
    private static LayerTranslator<TfliteCall> described(OpDescription op) {
        return call -> {
            if (call.operator().custom().filter(ByteBuffer::hasRemaining).isPresent()) {
                throw call.unsupportedUse("custom options");
            }
            List<Value> inputs =
                    IntStream.range(0, call.inputs()).mapToObj(call::plain).toList();
            return call.addAll(op.optype(), inputs, new Params(), call.outputs());
        };
    }

    private void translated(TfliteOperator operator, LayerTranslator<TfliteCall> translator) {
        TfliteCall call = new TfliteCall(operator, model, values, graph);
        List<Value> results = translator.translate(call);
        for (String unread : operator.options().unread()) {
            throw call.unsupportedUse(unread);
        }
        if (results.size() < operator.outputs().size()) {
            throw call.malformed("it gives " + results.size() + " tensors, but names "
                    + operator.outputs().size());
        }
        List<TfliteValue> given = call.finish(results);
        for (int i = 0; i < given.size(); i++) {
            int output = operator.outputs().get(i);
            if (values.isKnown(output)) {
                throw call.malformed("its output '"
                        + Printable.shortened(model.tensor(output).name())
                        + "' is given by another operator too, or an input");
            }
            values.put(output, given.get(i));
        }
    }

    private void output(int output) {
        TfliteTensor tensor = model.tensor(output);
        if (!values.isKnown(output) && !values.isConstant(output)) {
            throw new GraphException(tensor.source(), "it is an output, but no operator gives it");
        }
        TfliteOperator reader = new TfliteOperator(
                "output",
                model.outputName(output),
                tensor.source(),
                List.of(output),
                List.of(),
                new TfliteOptions(Optional.empty(), List.of(), tensor.source()),
                Optional.empty());
        TfliteCall call = new TfliteCall(reader, model, values, graph);
        Value plain = call.plain(0);
        Value named = call.renamed(plain, () -> call.outputName(tensor));
        values.renamed(plain, named);
        call.finish();
        values.keepForms();
        graph.output(named.name(), model.outputName(output));
    }
}
