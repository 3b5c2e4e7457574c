package org.clinfer.importer.openvino;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.importer.openvino.OpenVinoBody.Mapped;
import org.clinfer.importer.openvino.OpenVinoBody.Slices;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/**
 * Loop and TensorIterator: as many copies of the body as there are iterations, or a node that runs it where their number is not
 * known, or large. States are the parameters that a back edge leads to; of a value with an axis an iteration takes or gives one
 * part.
 */
final class OpenVinoLoop {

    /** The layers that all iterations of a loop may have together, if each is written by itself. */
    private static final long MOST_WRITTEN_OUT = 4_000;

    private final OpenVinoControl control;
    private final OpenVinoLayer layer;
    private final OpenVinoLayerCall call;
    private final OpenVinoBody body;
    private final NamedGraph inner;
    private final OpenVinoLayerCall inside;

    /** The values outside that the body takes as they are, by their names. */
    private final Map<String, Value> taken = new LinkedHashMap<>();

    OpenVinoLoop(OpenVinoControl control, OpenVinoLayer layer, OpenVinoLayerCall call, OpenVinoBody body) {
        this.control = control;
        this.layer = layer;
        this.call = call;
        this.body = body;
        this.inner = control.graph("body");
        this.inside = control.within(inner);
    }

    /**
     * A state.
     *
     * @param first its value before the first iteration
     * @param result the id of its value behind an iteration
     */
    private record State(String parameter, Value first, String result) {}

    List<Value> translate() {
        List<State> states = states();
        OptionalLong iterations = iterations();
        if (iterations.isPresent() && iterations.getAsLong() * body.layers().size() <= MOST_WRITTEN_OUT) {
            return writtenOut(Math.toIntExact(iterations.getAsLong()), states);
        }
        return run(states);
    }

    /** The number of iterations, if it is known and at least one. */
    private OptionalLong iterations() {
        OptionalLong none = OptionalLong.empty();
        if (layer.type().equals("Loop")) {
            boolean isEndless = conditionOf().map(this::isConstant).orElse(true);
            long most = call.constant(0).map(count -> count.getLong(0)).orElse(-1L);
            long first = call.constant(1).map(condition -> condition.getLong(0)).orElse(0L);
            return isEndless && first != 0 && most > 0 ? OptionalLong.of(most) : none;
        }
        for (Mapped input : body.inputs()) {
            if (input.slice().isPresent()) {
                Value value = call.input(control.inputOf(input));
                long size = value.sizeOr0(call.axis(input.slice().get().axis(), value.rank()));
                long count = size / Math.max(1, input.slice().get().size());
                return count > 0 ? OptionalLong.of(count) : none;
            }
        }
        return none;
    }

    private Optional<Mapped> conditionOf() {
        return body.outputs().stream()
                .filter(output -> output.purpose().equals("execution_condition"))
                .findFirst();
    }

    /** {@return whether a result is a constant of the body} */
    private boolean isConstant(Mapped result) {
        return layer(result.inner())
                .flatMap(end -> end.inputs().stream().findFirst())
                .flatMap(from -> layer(from.layer()))
                .filter(giver -> giver.type().equals(OpenVinoTranslation.CONSTANT))
                .isPresent();
    }

    private Optional<OpenVinoLayer> layer(String id) {
        return body.layers().stream().filter(each -> each.id().equals(id)).findFirst();
    }

    /** The body so many times, one after another. */
    private List<Value> writtenOut(int count, List<State> states) {
        NamedGraph outer = control.outer();
        Map<String, Value> current = new HashMap<>();
        states.forEach(state -> current.put(state.parameter, state.first));
        Map<String, List<Value>> listed = new HashMap<>();
        Map<String, Value> results = Map.of();
        boolean goesOn = true;
        for (int i = 0; i < count && goesOn; i++) {
            OpenVinoLayerCall parts = control.within(outer);
            Map<String, Value> given = new HashMap<>(current);
            for (Mapped input : body.inputs()) {
                if (!given.containsKey(input.inner())) {
                    given.put(input.inner(), given(parts, input, i, count));
                }
            }
            parts.finishBeside();
            results = control.placed(body, String.valueOf(i), outer, given);
            for (State state : states) {
                current.put(state.parameter, control.resultOf(state.result, results));
            }
            Map<String, Value> made = results;
            goesOn = conditionOf()
                    .map(end -> control.isTrue(control.resultOf(end.inner(), made)))
                    .orElse(true);
            results.forEach((id, value) ->
                    listed.computeIfAbsent(id, none -> new ArrayList<>()).add(value));
        }
        OpenVinoLayerCall behind = control.within(outer);
        List<Value> given = new ArrayList<>();
        for (OpenVinoLayer.Port port : layer.outputs()) {
            Mapped output = output(port);
            Value last = control.resultOf(output.inner(), results);
            given.add(output.slice()
                    .map(slice -> joined(behind, Objects.requireNonNull(listed.get(output.inner())), slice))
                    .orElse(last));
        }
        behind.finishBeside();
        return given;
    }

    private Value joined(OpenVinoLayerCall behind, List<Value> parts, Slices slice) {
        List<Value> order = new ArrayList<>(parts);
        if (isBackward(slice)) {
            Collections.reverse(order);
        }
        long axis = behind.axis(slice.axis(), parts.get(0).rank());
        return behind.add("Concat", order, new Params().put("axis", axis));
    }

    private Value given(OpenVinoLayerCall parts, Mapped input, int iteration, int count) {
        if (input.purpose().equals("current_iteration")) {
            return numberFor(parts, input, parts.constant("iteration", Tensor.scalar((long) iteration)));
        }
        Value value = parts.input(control.inputOf(input));
        if (input.slice().isEmpty()) {
            return value;
        }
        Slices slice = input.slice().get();
        long start = slice.size() * (isBackward(slice) ? count - 1 - iteration : iteration);
        Params range = new Params()
                .put("starts", new long[] {start})
                .put("ends", new long[] {start + slice.size()})
                .put("axes", new long[] {parts.axis(slice.axis(), value.rank())});
        return parts.add("Slice", range, value);
    }

    /** A node that runs the body. */
    private List<Value> run(List<State> states) {
        Value count = count();
        Value number = new Value(inner.freeName(control.stem("iteration")), TensorType.of(DType.INT64));
        inner.fixedInput(number.name(), number.type());
        String goesOn = inner.freeName(control.stem("condition"));
        inner.fixedInput(goesOn, TensorType.of(DType.BOOL));
        Map<String, Value> given = new HashMap<>();
        for (State state : states) {
            Value value = new Value(inner.freeName(control.stem("state_" + given.size())), type(state));
            inner.input(value.name(), value.type());
            given.put(state.parameter, value);
        }
        for (Mapped input : body.inputs()) {
            if (!given.containsKey(input.inner())) {
                given.put(input.inner(), given(input, number, count));
            }
        }
        inside.finishBeside();
        Map<String, Value> results = control.placed(body, "body", inner, given);
        return written(count, states, results);
    }

    private List<Value> written(Value count, List<State> states, Map<String, Value> results) {
        OpenVinoLayerCall behind = control.within(inner);
        Value next = conditionOf()
                .map(output -> call.requireTruth(control.resultOf(output.inner(), results)))
                .orElseGet(() -> behind.constant("always", truth()));
        inner.give(next);
        List<String> outputs = new ArrayList<>();
        Map<String, Value> after = new HashMap<>();
        for (State state : states) {
            Value result = control.resultOf(state.result, results);
            inner.give(result);
            TensorType type = control.common(type(state), result.type());
            Value last = new Value(control.free("state_" + outputs.size()), type);
            outputs.add(last.name());
            after.put(state.result, last);
        }
        Map<String, Value> listed = new LinkedHashMap<>();
        for (OpenVinoLayer.Port port : layer.outputs()) {
            Mapped output = output(port);
            if (output.slice().isPresent() || !after.containsKey(output.inner())) {
                listed.computeIfAbsent(output.inner(), id -> list(control.resultOf(id, results), outputs));
            }
        }
        List<String> inputs = new ArrayList<>(List.of(count.name(), first()));
        states.forEach(state -> inputs.add(state.first.name()));
        taken.values().stream().map(Value::name).forEach(inputs::add);
        control.finish(
                ControlFlow.LOOP,
                inputs,
                outputs,
                Map.of(ControlFlow.STATES, Attribute.of(states.size())),
                Map.of(ControlFlow.BODY, inner.build()));
        return results(after, listed);
    }

    private static Tensor truth() {
        Tensor truth = Tensor.allocate(DType.BOOL);
        truth.setLong(0, 1);
        return truth;
    }

    private Mapped output(OpenVinoLayer.Port port) {
        return OpenVinoControl.outputOf(body, port)
                .orElseThrow(() -> call.malformed("its body does not give its port " + Printable.shortened(port.id())));
    }

    /** A value of all iterations along an axis of their own, the first. */
    private Value list(Value each, List<String> outputs) {
        inner.give(each);
        List<Dim> dims = new ArrayList<>(List.of(Dim.unknown()));
        dims.addAll(each.shape().dims());
        Value list = new Value(
                control.free("list_" + outputs.size()),
                new TensorType(each.type().dtype(), new Shape(dims)));
        outputs.add(list.name());
        return list;
    }

    /** The outputs of the layer, of the states behind the last iteration and of the lists of all. */
    private List<Value> results(Map<String, Value> after, Map<String, Value> listed) {
        OpenVinoLayerCall behind = control.within(control.outer());
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < layer.outputs().size(); i++) {
            Mapped output = output(layer.outputs().get(i));
            Value value;
            if (output.slice().isPresent()) {
                value = joined(
                        behind,
                        Objects.requireNonNull(listed.get(output.inner())),
                        output.slice().get(),
                        i);
            } else if (after.containsKey(output.inner())) {
                value = after.get(output.inner());
            } else {
                value = behind.add(
                        "Gather",
                        Objects.requireNonNull(listed.get(output.inner())),
                        behind.constant("last", Tensor.scalar(-1L)));
            }
            results.add(value);
        }
        behind.finishBeside();
        return results;
    }

    /** The parts of all iterations along their own axis. */
    private Value joined(OpenVinoLayerCall behind, Value list, Slices slice, int output) {
        int rank = list.rank() - 1;
        int axis = behind.axis(slice.axis(), rank);
        Value parts = list;
        if (isBackward(slice)) {
            Params turned = new Params()
                    .put("starts", new long[] {-1})
                    .put("ends", new long[] {Long.MIN_VALUE})
                    .put("axes", new long[] {0})
                    .put("steps", new long[] {-1});
            parts = behind.add("Slice", turned, list);
        }
        long[] order = new long[rank + 1];
        for (int i = 0; i <= rank; i++) {
            order[i] = i < axis ? i + 1 : i == axis ? 0 : i;
        }
        Value beside = axis == 0 ? parts : behind.transposed(parts, order);
        List<Value> sizes = new ArrayList<>();
        if (axis > 0) {
            sizes.add(behind.sizes(beside, 0, axis));
        }
        sizes.add(behind.vector("joined", -1));
        if (axis < rank - 1) {
            sizes.add(behind.sizes(beside, axis + 2, rank + 1));
        }
        Shape shape = behind.declared(output);
        if (shape.rank() != rank) {
            throw call.malformed("it gives values of " + rank + " axes, but declares " + shape);
        }
        return behind.add("Reshape", List.of(beside, behind.join(sizes)), new Params(), shape);
    }

    private List<State> states() {
        List<State> states = new ArrayList<>();
        for (Mapped input : body.inputs()) {
            String result = body.backEdges().get(input.inner());
            if (result != null) {
                states.add(new State(input.inner(), call.input(control.inputOf(input)), result));
            }
        }
        if (states.size() != body.backEdges().size()) {
            throw call.malformed("a back edge leads to a parameter that has no first value");
        }
        return states;
    }

    /** The type of a state in all iterations, as the body's parameter says. */
    private TensorType type(State state) {
        OpenVinoLayer parameter = parameter(state.parameter);
        TensorType type = new TensorType(
                state.first.type().dtype(), parameter.outputs().get(0).shape());
        return control.common(type, state.first.type());
    }

    private OpenVinoLayer parameter(String id) {
        return layer(id)
                .filter(each -> each.outputs().size() == 1)
                .orElseThrow(() -> call.malformed("its body has no parameter " + Printable.shortened(id)));
    }

    /** The value of a parameter that is no state: the number of the iteration, a part of a value, or all of one. */
    private Value given(Mapped input, Value number, Value count) {
        if (input.purpose().equals("current_iteration")) {
            return numberFor(inside, input, number);
        }
        Value value = taken(call.input(control.inputOf(input)));
        if (input.slice().isEmpty()) {
            return value;
        }
        Slices slice = input.slice().get();
        int axis = inside.axis(slice.axis(), value.rank());
        Value part = number;
        if (isBackward(slice)) {
            Value last = inside.add("Sub", taken(count), inside.constant("one", Tensor.scalar(1L)));
            part = inside.add("Sub", last, number);
        }
        long[] inPart = new long[Math.toIntExact(slice.size())];
        for (int i = 0; i < inPart.length; i++) {
            inPart[i] = i;
        }
        Value start = inside.add("Mul", part, inside.constant("size", Tensor.scalar(slice.size())));
        Value indices = inside.add("Add", start, inside.vector("in_part", inPart));
        return inside.add("Gather", List.of(value, indices), new Params().put("axis", (long) axis));
    }

    /** The number of an iteration in the type of the parameter that takes it. */
    private Value numberFor(OpenVinoLayerCall in, Mapped input, Value number) {
        OpenVinoLayer parameter = parameter(input.inner());
        Value cast = in.cast(number, new OpenVinoAttributes(parameter).type("element_type"));
        return parameter.outputs().get(0).shape().rank() == 0 ? cast : in.reshaped(cast, Shape.of(1));
    }

    private Value taken(Value value) {
        if (control.isConstant(value.name())) {
            return inner.take(value, control.outer());
        }
        return taken.computeIfAbsent(value.name(), name -> inner.take(value, control.outer()));
    }

    /** {@return whether the last part comes first} Parts that do not cover all of the value, or overlap, are refused. */
    private boolean isBackward(Slices slice) {
        boolean forward = slice.stride() > 0;
        boolean whole = forward ? slice.start() == 0 && slice.end() == -1 : slice.start() == -1 && slice.end() == 0;
        if (!whole || slice.size() < 1 || slice.size() > 1 << 16 || Math.abs(slice.stride()) != slice.size()) {
            throw call.unsupportedUse("parts from " + slice.start() + " to " + slice.end() + " of size " + slice.size()
                    + " at a stride of " + slice.stride());
        }
        return !forward;
    }

    /** The number of iterations at most: as told, or as a value has parts. */
    private Value count() {
        if (layer.type().equals("Loop")) {
            Value told = call.input(0);
            Value whole = call.cast(told, DType.INT64);
            Value one = told.rank() == 0 ? whole : call.reshaped(whole, Shape.SCALAR);
            Value least = call.constant("zero", Tensor.scalar(0L));
            Value endless = call.constant("endless", Tensor.scalar(Long.MAX_VALUE));
            return call.add("Where", call.add("Less", one, least), endless, one);
        }
        for (Mapped input : body.inputs()) {
            Optional<Slices> slice = input.slice();
            if (slice.isPresent()) {
                Value value = call.input(control.inputOf(input));
                int axis = call.axis(slice.get().axis(), value.rank());
                Value size = call.add("Squeeze", call.sizes(value, axis, axis + 1));
                long part = Math.abs(slice.get().size());
                return part == 1 ? size : call.add("Div", size, call.constant("part", Tensor.scalar(part)));
            }
        }
        throw call.unsupportedUse("no value whose parts are counted");
    }

    /** The condition of the first iteration, {@code ""} if there is none. */
    private String first() {
        return layer.type().equals("Loop") ? call.requireTruth(call.input(1)).name() : "";
    }
}
