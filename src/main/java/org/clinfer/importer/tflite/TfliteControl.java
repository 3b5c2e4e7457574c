package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** IF and WHILE, whose networks become graphs that a node runs, and STABLEHLO_COMPOSITE, whose network stands in its place. */
final class TfliteControl {

    static final Set<String> OPERATORS = Set.of("IF", "WHILE", "STABLEHLO_COMPOSITE");

    /** A state whose sizes an iteration changes has open ones; so often its body is written to find out which. */
    private static final int MOST_TRIALS = 3;

    private final TfliteTranslation around;
    private final TfliteOperator operator;
    private final TfliteCall call;

    TfliteControl(TfliteTranslation around, TfliteOperator operator) {
        this.around = around;
        this.operator = operator;
        this.call = around.call(operator);
    }

    /** Writes the operator and notes what it gives. */
    void translate() {
        switch (operator.type()) {
            case "IF" -> branch();
            case "WHILE" -> loop();
            default -> composite();
        }
    }

    /** An operator with its decomposition; its name and attributes only say how it may be computed faster. */
    private void composite() {
        call.options().ignore("name", "composite_attributes", "composite_attributes_format", "version");
        int number = call.options().integer("decomposition_subgraph_index");
        requireAllRead();
        List<Value> results = placed(number, "composite", around.graph(), inputs(0));
        requireResults(results.size());
        call.finishBeside();
        around.give(operator, results);
    }

    private record Written(Graph graph, List<TensorType> types) {}

    private void branch() {
        int yes = call.options().integer("then_subgraph_index");
        int no = call.options().integer("else_subgraph_index");
        requireAllRead();
        call.requireInputs(1, Integer.MAX_VALUE);
        Value condition = call.requireTruth(call.plain(0));
        List<Value> given = inputs(1);
        Written first = branch(yes, "then", given);
        Written second = branch(no, "else", given);
        List<String> inputs = new ArrayList<>(List.of(condition.name()));
        given.stream()
                .map(Value::name)
                .filter(name -> !isConstant(name))
                .distinct()
                .forEach(inputs::add);
        Map<String, Graph> bodies = new LinkedHashMap<>();
        bodies.put(ControlFlow.THEN, first.graph);
        bodies.put(ControlFlow.ELSE, second.graph);
        List<TensorType> types = IntStream.range(0, first.types.size())
                .mapToObj(i -> joined(first.types.get(i), second.types.get(i)))
                .toList();
        finish(ControlFlow.IF, inputs, Map.of(), bodies, types);
    }

    private Written branch(int number, String branch, List<Value> given) {
        NamedGraph graph = graph(branch);
        Map<String, Value> taken = new LinkedHashMap<>();
        for (Value value : given) {
            taken.computeIfAbsent(value.name(), name -> graph.take(value, around.graph()));
        }
        List<Value> values = given.stream()
                .map(value -> taken.getOrDefault(value.name(), value))
                .toList();
        List<Value> results = placed(number, branch, graph, values);
        requireResults(results.size());
        results.forEach(graph::give);
        return new Written(graph.build(), results.stream().map(Value::type).toList());
    }

    private void loop() {
        int condition = call.options().integer("cond_subgraph_index");
        int body = call.options().integer("body_subgraph_index");
        requireAllRead();
        List<Value> states = inputs(0);
        requireResults(states.size());
        List<TensorType> types = states.stream().map(Value::type).toList();
        Written written = iteration(condition, body, types);
        for (int trial = 1; !isWithin(written.types, types) && trial < MOST_TRIALS; trial++) {
            types = joined(types, written.types);
            written = iteration(condition, body, types);
        }
        if (!isWithin(written.types, types)) {
            throw call.unsupportedUse("a state that has other axes in every iteration");
        }
        List<Value> first = placed(condition, "cond", around.graph(), states);
        List<String> inputs = new ArrayList<>(List.of("", condition(first).name()));
        states.forEach(state -> inputs.add(state.name()));
        Map<String, Attribute> params = Map.of(ControlFlow.STATES, Attribute.of(states.size()));
        finish(ControlFlow.LOOP, inputs, params, Map.of(ControlFlow.BODY, written.graph), types);
    }

    /** The body, behind which stands the condition of the next iteration. */
    private Written iteration(int condition, int body, List<TensorType> types) {
        NamedGraph graph = graph("body");
        graph.fixedInput(graph.freeName(stem("iteration")), TensorType.of(DType.INT64));
        graph.fixedInput(graph.freeName(stem("condition")), TensorType.of(DType.BOOL));
        List<Value> states = new ArrayList<>();
        for (TensorType type : types) {
            Value state = new Value(graph.freeName(stem("state" + states.size())), type);
            graph.input(state.name(), type);
            states.add(state);
        }
        List<Value> results = placed(body, "body", graph, states);
        requireResults(results.size());
        graph.give(condition(placed(condition, "cond", graph, results)));
        results.forEach(graph::give);
        return new Written(graph.build(), results.stream().map(Value::type).toList());
    }

    private List<Value> inputs(int first) {
        List<Value> inputs = new ArrayList<>();
        for (int i = first; i < call.inputs(); i++) {
            call.tensor(i);
            inputs.add(call.plain(i));
        }
        return inputs;
    }

    private List<Value> placed(int number, String part, NamedGraph into, List<Value> given) {
        return around.place(number, operator, into, given, name -> into.freeName(stem(part) + "/" + name));
    }

    private NamedGraph graph(String part) {
        return new NamedGraph(stem(part), operator.source(), around.catalog());
    }

    private String stem(String part) {
        return operator.name() + "/" + part;
    }

    private Value condition(List<Value> given) {
        if (given.size() != 1) {
            throw call.malformed("its condition gives " + given.size() + " tensors");
        }
        return call.requireTruth(given.get(0));
    }

    private void requireAllRead() {
        for (String unread : operator.options().unread()) {
            throw call.unsupportedUse(unread);
        }
    }

    private void requireResults(int count) {
        if (count != operator.outputs().size()) {
            throw call.malformed("its networks give " + count + " tensors, but it names "
                    + operator.outputs().size());
        }
    }

    private boolean isConstant(String name) {
        return around.graph().constants().containsKey(name);
    }

    private void finish(
            String op,
            List<String> inputs,
            Map<String, Attribute> params,
            Map<String, Graph> bodies,
            List<TensorType> types) {
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            TfliteTensor tensor = call.output(i);
            if (tensor.dtype() != types.get(i).dtype()) {
                throw call.malformed("it gives " + types.get(i) + ", but its output is " + tensor.dtype());
            }
            results.add(new Value(call.outputName(tensor), types.get(i)));
        }
        call.finishBeside();
        List<String> outputs = results.stream().map(Value::name).toList();
        around.graph().node(new Node(operator.name(), op, inputs, outputs, params, bodies, operator.source()));
        around.give(operator, results);
    }

    private static boolean isWithin(List<TensorType> types, List<TensorType> wider) {
        return IntStream.range(0, types.size())
                .allMatch(
                        i -> types.get(i).shape().rank() == wider.get(i).shape().rank()
                                && joined(types.get(i).shape(), wider.get(i).shape())
                                        .equals(wider.get(i).shape()));
    }

    private List<TensorType> joined(List<TensorType> types, List<TensorType> others) {
        return IntStream.range(0, types.size())
                .mapToObj(i -> joined(types.get(i), others.get(i)))
                .toList();
    }

    /** The type that two types have in common. */
    private TensorType joined(TensorType one, TensorType other) {
        if (one.dtype() != other.dtype()) {
            throw call.malformed("one of its networks gives " + one + " where another one gives " + other);
        }
        if (one.shape().rank() != other.shape().rank()) {
            throw call.unsupportedUse("results whose number of axes differs");
        }
        return new TensorType(one.dtype(), joined(one.shape(), other.shape()));
    }

    private static Shape joined(Shape one, Shape other) {
        List<Dim> dims = new ArrayList<>();
        for (int axis = 0; axis < one.rank(); axis++) {
            dims.add(one.dim(axis).equals(other.dim(axis)) ? one.dim(axis) : Dim.unknown());
        }
        return new Shape(dims);
    }
}
