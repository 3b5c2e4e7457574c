package org.clinfer.importer.openvino;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Value;
import org.clinfer.importer.openvino.OpenVinoBody.Mapped;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** If, Loop and TensorIterator, whose networks become graphs that a node runs. */
final class OpenVinoControl {

    static final Set<String> TYPES = Set.of("If", "Loop", "TensorIterator");

    private final OpenVinoTranslation around;
    private final OpenVinoLayer layer;
    private final OpenVinoLayerCall call;

    OpenVinoControl(OpenVinoTranslation around, OpenVinoLayer layer, OpenVinoLayerCall call) {
        this.around = around;
        this.layer = layer;
        this.call = call;
    }

    /** Writes the layer, and gives its outputs. */
    List<Value> translate() {
        call.requireAllRead();
        return layer.type().equals("If") ? branches() : new OpenVinoLoop(this, layer, call, body("")).translate();
    }

    private OpenVinoBody body(String prefix) {
        OpenVinoBody body = layer.bodies().get(prefix.isEmpty() ? "" : prefix + "_");
        if (body == null || body.layers().isEmpty() || layer.bodies().size() != (prefix.isEmpty() ? 1 : 2)) {
            throw call.malformed("it lacks a body, or has one too many");
        }
        return body;
    }

    private List<Value> branches() {
        Value condition = call.requireTruth(call.input(0));
        List<TensorType> types = new ArrayList<>();
        Map<String, Graph> bodies = new LinkedHashMap<>();
        bodies.put(ControlFlow.THEN, branch("then", types));
        bodies.put(ControlFlow.ELSE, branch("else", types));
        List<String> inputs = new ArrayList<>(List.of(condition.name()));
        for (int i = 1; i < call.inputCount(); i++) {
            String name = call.input(i).name();
            if (!isConstant(name) && !inputs.subList(1, inputs.size()).contains(name)) {
                inputs.add(name);
            }
        }
        int count = layer.outputs().size();
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            results.add(named(i, common(types.get(i), types.get(count + i))));
        }
        finish(ControlFlow.IF, inputs, results.stream().map(Value::name).toList(), Map.of(), bodies);
        return results;
    }

    private Graph branch(String which, List<TensorType> types) {
        OpenVinoBody body = body(which);
        NamedGraph graph = graph(which);
        Map<String, Value> taken = new HashMap<>();
        for (int i = 1; i < call.inputCount(); i++) {
            Value value = call.input(i);
            taken.computeIfAbsent(value.name(), name -> graph.take(value, around.graph()));
        }
        Map<String, Value> given = new HashMap<>();
        for (Mapped input : body.inputs()) {
            given.put(input.inner(), taken.get(call.input(inputOf(input)).name()));
        }
        Map<String, Value> results = placed(body, which, graph, given);
        for (OpenVinoLayer.Port output : layer.outputs()) {
            Mapped mapped = outputOf(body, output)
                    .orElseThrow(() -> call.malformed(
                            "its body " + which + " does not give its port " + Printable.shortened(output.id())));
            Value value = resultOf(mapped.inner(), results);
            types.add(value.type());
            graph.give(value);
        }
        return graph.build();
    }

    boolean isConstant(String name) {
        return around.graph().constants().containsKey(name);
    }

    /** {@return whether a constant is true} */
    boolean isTrue(Value constant) {
        return Optional.ofNullable(around.graph().constants().get(constant.name()))
                .filter(truth -> truth.elements() == 1 && truth.getLong(0) != 0)
                .isPresent();
    }

    NamedGraph graph(String part) {
        return new NamedGraph(stem(part), layer.source(), around.catalog());
    }

    NamedGraph outer() {
        return around.graph();
    }

    /** A name in the graph around that nobody has. */
    String free(String part) {
        return around.graph().freeName(stem(part));
    }

    String stem(String part) {
        return layer.name() + "/" + part;
    }

    Map<String, Value> placed(OpenVinoBody body, String part, NamedGraph into, Map<String, Value> given) {
        return around.place(body.layers(), into, stem(part), given);
    }

    /** A call whose operators stand in a graph within this one. */
    OpenVinoLayerCall within(NamedGraph graph) {
        return around.call(layer, graph);
    }

    /** The number of the input that an entry maps. */
    int inputOf(Mapped input) {
        int number = layer.inputPorts().indexOf(input.port());
        if (number < 0) {
            throw call.malformed(
                    "its body takes port " + Printable.shortened(input.port()) + ", which it does not have");
        }
        return number;
    }

    static Optional<Mapped> outputOf(OpenVinoBody body, OpenVinoLayer.Port port) {
        return body.outputs().stream()
                .filter(output -> output.port().equals(port.id()))
                .findFirst();
    }

    Value resultOf(String id, Map<String, Value> results) {
        Value value = results.get(id);
        if (value == null) {
            throw call.malformed("its body has no result " + Printable.shortened(id));
        }
        return value;
    }

    /** The type that two types have in common. */
    TensorType common(TensorType one, TensorType other) {
        return KnownType.of(one)
                .and(KnownType.of(other))
                .whole()
                .orElseThrow(() -> call.unsupportedUse("a value that is " + one + " and " + other));
    }

    /** The value that an output gives. */
    Value named(int output, TensorType type) {
        if (type.dtype() != call.declaredType(output)) {
            throw call.malformed("it gives " + type + ", but declares " + call.declaredType(output));
        }
        return new Value(around.graph().freeName(OpenVinoTranslation.name(layer, output)), type);
    }

    /** Adds the node, behind what was written for its inputs. */
    void finish(
            String op,
            List<String> inputs,
            List<String> outputs,
            Map<String, Attribute> params,
            Map<String, Graph> bodies) {
        call.finishBeside();
        around.graph().node(new Node(layer.name(), op, inputs, outputs, params, bodies, layer.source()));
    }
}
