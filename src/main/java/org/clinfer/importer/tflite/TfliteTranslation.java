package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.LayerTranslator;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.Params;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.UntypedException;
import org.clinfer.importer.Value;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** One network's way from its operators, which stand in the order of a run, to a graph. */
final class TfliteTranslation {

    static final LayerTable<TfliteCall> OPERATORS = LayerTable.of(
            TfliteElementLayers::addTo,
            TfliteBroadcastLayers::addTo,
            TfliteConvolutionLayers::addTo,
            TfliteTransposedLayers::addTo,
            TflitePoolingLayers::addTo,
            TfliteDetectionLayers::addTo,
            TfliteSuppressionLayers::addTo,
            TfliteMatrixLayers::addTo,
            TfliteReductionLayers::addTo,
            TfliteNormalizationLayers::addTo,
            TfliteQuantizationLayers::addTo,
            TfliteShapeLayers::addTo,
            TfliteSliceLayers::addTo,
            TfliteSelectionLayers::addTo,
            TfliteScatterLayers::addTo,
            TfliteSegmentLayers::addTo,
            TfliteFourierLayers::addTo,
            TfliteBlockLayers::addTo,
            TfliteResizingLayers::addTo,
            TfliteRecurrentLayers::addTo,
            TfliteBidirectionalLayers::addTo);

    /** Operators at most; one may stand for several of the graph. */
    private static final int MOST_OPERATORS = 200_000;

    /** Networks within others, so deep. */
    private static final int MAX_DEPTH = 32;

    private final TfliteNetwork network;
    private final SourceRef source;
    private final OpCatalog catalog;
    private final NamedGraph graph;
    private final TfliteValues values;
    private final OpaqueLayers opaque;
    private final WorkBudget budget;
    private final TfliteVariables variables;

    /** The names of the variables that tensors stand for. */
    private final Map<Integer, String> handles = new HashMap<>();

    private final int depth;

    /** True for what is done before the first run. */
    private final boolean once;

    TfliteTranslation(TfliteModel model, OpCatalog catalog) {
        this.network = model.main();
        this.source = model.source();
        this.catalog = catalog;
        this.graph = new NamedGraph(source.file(), source, catalog);
        this.values = new TfliteValues(network, graph);
        this.opaque = new OpaqueLayers(graph, source);
        this.budget = WorkBudget.of(MOST_OPERATORS);
        this.variables = new TfliteVariables();
        this.depth = 0;
        this.once = false;
    }

    private TfliteTranslation(TfliteTranslation around, TfliteNetwork network, NamedGraph graph, boolean once) {
        this.network = network;
        this.source = around.source;
        this.catalog = around.catalog;
        this.graph = graph;
        this.values = new TfliteValues(network, graph);
        this.opaque = around.opaque.within(graph);
        this.budget = around.budget;
        this.variables = around.variables;
        this.depth = around.depth + 1;
        this.once = once;
    }

    /**
     * Writes a network that an operator runs into a graph: this one, or one that a node of this one runs.
     *
     * @param given what it takes, in the file's order of axes
     * @param naming what its tensors are called in that graph
     * @return what it gives, in the file's order of axes
     */
    List<Value> place(
            int number, TfliteOperator reader, NamedGraph into, List<Value> given, UnaryOperator<String> naming) {
        return placed(number, reader, into, naming, once).place(reader, given);
    }

    private TfliteTranslation placed(
            int number, TfliteOperator reader, NamedGraph into, UnaryOperator<String> naming, boolean isOnce) {
        if (depth == MAX_DEPTH) {
            throw new GraphException(
                    reader.source(), "networks are within each other more than " + MAX_DEPTH + " deep");
        }
        TfliteNetwork inner = network.model().network(number, reader.source(), naming);
        int size = inner.operators().size() + inner.tensors().size();
        if (!budget.spend(size)) {
            throw new GraphException(
                    reader.source(),
                    "the networks that operators run have more than " + budget.limit() + " operators and tensors");
        }
        return new TfliteTranslation(this, inner, into, isOnce);
    }

    private List<Value> place(TfliteOperator reader, List<Value> given) {
        if (network.inputs().size() != given.size()) {
            throw new GraphException(
                    reader.source(),
                    "its network takes " + network.inputs().size() + " tensors, but is given " + given.size());
        }
        for (int i = 0; i < given.size(); i++) {
            int input = network.inputs().get(i);
            TfliteTensor tensor = network.tensor(input);
            if (values.isKnown(input) || tensor.dtype() != given.get(i).type().dtype()) {
                throw new GraphException(
                        tensor.source(),
                        "it is an input twice, or not of the type "
                                + given.get(i).type() + " that it is given");
            }
            values.put(input, new TfliteValue(given.get(i), false));
        }
        network.operators().forEach(this::operator);
        List<Value> results = new ArrayList<>();
        for (int output : network.outputs()) {
            TfliteCall call = reader(output);
            results.add(call.plain(0));
            call.finish();
            values.keepForms();
        }
        return results;
    }

    NamedGraph graph() {
        return graph;
    }

    OpCatalog catalog() {
        return catalog;
    }

    /** An operator with what it takes and gives. */
    TfliteCall call(TfliteOperator operator) {
        return new TfliteCall(operator, network, values, graph);
    }

    /** Notes what an operator gives, in the file's order of axes, and keeps the forms that it made. */
    void give(TfliteOperator operator, List<Value> results) {
        for (int i = 0; i < results.size(); i++) {
            give(operator, i, new TfliteValue(results.get(i), false));
        }
        values.keepForms();
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every operator that is not supported, if they are refused
     */
    Graph translate(UnsupportedLayers unsupported) {
        opaque.begin(unsupported);
        if (network.operators().size() > MOST_OPERATORS) {
            throw new GraphException(source, "the network has more than " + MOST_OPERATORS + " operators");
        }
        network.tensors().forEach(tensor -> graph.reserve(tensor.name()));
        inputs();
        network.operators().forEach(this::operator);
        opaque.finish();
        if (network.outputs().isEmpty()) {
            throw new GraphException(source, "the network has no outputs");
        }
        for (int output : new LinkedHashSet<>(network.outputs())) {
            output(output);
        }
        return graph.build().withMetadata(network.model().metadata());
    }

    private void inputs() {
        Set<String> names = new HashSet<>();
        for (int input : network.inputs()) {
            TfliteTensor tensor = network.tensor(input);
            String name = network.inputName(input);
            if (values.isKnown(input) || !names.add(name)) {
                throw new GraphException(tensor.source(), "it is an input twice, or has the name of another one");
            }
            values.put(input, new TfliteValue(input(name, tensor), false));
        }
    }

    private Value input(String name, TfliteTensor tensor) {
        try {
            TensorType type = tensor.type();
            if (tensor.isComplex()) {
                throw new UnsupportedException(
                        tensor.source(),
                        "data type complex64",
                        "it has the data type complex64, which is not supported");
            }
            graph.fixedInput(name, type, tensor.usualShape());
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
            requireReal(operator);
            if (TfliteControl.OPERATORS.contains(operator.type())) {
                requireGiven(operator);
                new TfliteControl(this, operator).translate();
                return;
            }
            if (TfliteVariables.OPERATORS.contains(operator.type())) {
                requireGiven(operator);
                variable(operator);
                values.keepForms();
                return;
            }
            LayerTranslator<TfliteCall> translator = OPERATORS
                    .find(operator.type(), catalog, TfliteTranslation::described)
                    .orElseThrow(() -> LayerTable.unknown(operator.type(), operator.source()));
            requireGiven(operator);
            translated(operator, translator);
            values.keepForms();
        } catch (GraphException refused) {
            values.dropForms();
            opaque.refuse(opaque(operator), refused);
        } catch (UntypedException follows) {
            values.dropForms();
            opaque.skip(opaque(operator));
        }
    }

    /** Complex numbers are for a few operators alone. */
    private void requireReal(TfliteOperator operator) {
        boolean moves = TfliteFourierLayers.MOVES_COMPLEX.contains(operator.type())
                && operator.inputs().stream()
                        .limit(1)
                        .anyMatch(input -> input >= 0 && network.tensor(input).isComplex());
        boolean takes = TfliteFourierLayers.OF_COMPLEX.contains(operator.type());
        boolean gives = moves || TfliteFourierLayers.GIVES_COMPLEX.contains(operator.type());
        boolean takesReal = operator.inputs().stream()
                .skip(moves ? 1 : 0)
                .filter(input -> input >= 0)
                .allMatch(input -> takes == network.tensor(input).isComplex());
        boolean givesReal = operator.outputs().stream()
                .allMatch(output -> gives == network.tensor(output).isComplex()
                        && !(gives && network.outputs().contains(output)));
        boolean isReal = takesReal && givesReal;
        if (!isReal) {
            throw call(operator).unsupportedUse("data type complex64");
        }
    }

    private void variable(TfliteOperator operator) {
        TfliteCall call = call(operator);
        switch (operator.type()) {
            case "CALL_ONCE" -> {
                int number = operator.options().integer("init_subgraph_index");
                if (depth > 0) {
                    throw call.unsupportedUse("a network that another one runs");
                }
                placed(number, operator, graph, name -> graph.freeName("once/" + name), true)
                        .place(operator, List.of());
            }
            case "VAR_HANDLE" -> {
                TfliteTensor tensor = call.output(0);
                handles.put(operator.outputs().get(0), TfliteVariables.name(call));
                give(operator, 0, new TfliteValue(Value.untyped(tensor.name()), false));
            }
            case "READ_VARIABLE" -> {
                Value value = variables.read(handle(call), call, graph);
                if (value.type().dtype() != call.output(0).dtype()) {
                    throw call.malformed("it gives " + value.type().dtype() + ", but its output is "
                            + call.output(0).dtype());
                }
                give(operator, 0, new TfliteValue(value, false));
            }
            default -> {
                call.requireInputs(2, 2);
                variables.assign(handle(call), call, graph, once, depth == 0);
                call.finishBeside();
            }
        }
        for (String unread : operator.options().unread()) {
            throw call.unsupportedUse(unread);
        }
    }

    /** The variable that the first input stands for. */
    private String handle(TfliteCall call) {
        call.tensor(0);
        return Optional.ofNullable(handles.get(call.operator().inputs().get(0)))
                .orElseThrow(() -> call.unsupportedUse("a variable that is an input of its network"));
    }

    /** The operator as the file has it: what it takes as far as that can be read, and what it gives with the file's types. */
    private OpaqueLayers.Layer opaque(TfliteOperator operator) {
        TfliteCall call = call(operator);
        List<Value> inputs = new ArrayList<>();
        for (int input = 0; input < call.inputs(); input++) {
            try {
                inputs.add(call.plain(input));
            } catch (UnsupportedException | UntypedException unreadable) {
                inputs.add(Value.NONE);
            }
        }
        call.finishBeside();
        values.keepForms();
        List<Value> outputs = new ArrayList<>();
        for (int output : operator.outputs()) {
            Value value = declared(network.tensor(output));
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
            if (!given && !values.isConstant(input) && !network.tensor(input).isVariable()) {
                throw new GraphException(
                        operator.source(),
                        "its input '"
                                + Printable.shortened(network.tensor(input).name())
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
        TfliteCall call = call(operator);
        List<Value> results = translator.translate(call);
        for (String unread : operator.options().unread()) {
            throw call.unsupportedUse(unread);
        }
        if (results.size() < call.results()) {
            throw call.malformed("it gives " + results.size() + " tensors, but names "
                    + operator.outputs().size());
        }
        List<TfliteValue> given = call.finish(results);
        for (int i = 0; i < given.size(); i++) {
            give(operator, i, given.get(i));
        }
    }

    private void give(TfliteOperator operator, int number, TfliteValue value) {
        int output = operator.outputs().get(number);
        if (values.isKnown(output)) {
            throw new GraphException(
                    operator.source(),
                    "its output '" + Printable.shortened(network.tensor(output).name())
                            + "' is given by another operator too, or an input");
        }
        values.put(output, value);
    }

    private void output(int output) {
        TfliteTensor tensor = network.tensor(output);
        TfliteCall call = reader(output);
        Value plain = call.plain(0);
        Value named = call.renamed(plain, () -> call.outputName(tensor));
        values.renamed(plain, named);
        call.finish();
        values.keepForms();
        network.outputNames(output).forEach(name -> graph.output(named.name(), name));
    }

    /** The reader of a tensor that the network gives. */
    private TfliteCall reader(int output) {
        SourceRef place = network.tensor(output).source();
        if (!values.isKnown(output) && !values.isConstant(output)) {
            throw new GraphException(place, "it is an output, but no operator gives it");
        }
        return call(new TfliteOperator(
                "output",
                network.outputName(output),
                place,
                List.of(output),
                List.of(),
                new TfliteOptions(Optional.empty(), List.of(), place),
                Optional.empty()));
    }
}
