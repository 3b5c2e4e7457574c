package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.savedmodel.FrozenControl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;

/**
 * One While. The types of its states follow from those that they have before it and what an iteration makes of them, so its body
 * is written until they change no more.
 */
final class TfLoop {

    /** So often the body is written; then states whose number of sizes or sizes change still have unknown ones. */
    private static final int MOST_TRIALS = 4;

    private final TfControl control;
    private final FrozenControl.Loop loop;
    private final TfCall call;
    private final TfGraphWriter graph;
    private final List<TfValue> states;

    TfLoop(TfControl control, FrozenControl.Loop loop) {
        this.control = control;
        this.loop = loop;
        this.call = control.call();
        this.graph = control.graph();
        this.states =
                IntStream.range(0, loop.states().size()).mapToObj(call::input).toList();
    }

    /**
     * The body, behind which stands the condition of the next iteration.
     *
     * @param results what the states are then
     */
    private record Iteration(InnerTfGraph graph, TfValue goesOn, List<TfValue> results) {}

    void translate() {
        TfValue condition = control.placed(loop.first(), states).get(0);
        Optional<Boolean> known = control.known(condition);
        if (known.equals(Optional.of(false))) {
            IntStream.range(0, states.size())
                    .forEach(i -> call.give(loop.states().get(i), states.get(i)));
            return;
        }
        List<KnownType> types =
                IntStream.range(0, states.size()).mapToObj(this::type).toList();
        Iteration iteration = iteration(types);
        types = withElements(types, iteration);
        for (int trial = 1; trial <= MOST_TRIALS; trial++) {
            iteration = iteration(types);
            List<KnownType> wider = widened(types, iteration, trial < MOST_TRIALS - 1);
            if (wider.equals(types)) {
                break;
            }
            types = wider;
        }
        List<String> inputs = new ArrayList<>(List.of("", known.isPresent() ? "" : truth(condition)));
        for (int i = 0; i < states.size(); i++) {
            inputs.add(first(i, types.get(i), iteration));
        }
        inputs.addAll(iteration.graph.captured());
        iteration.graph.giveTruth(iteration.goesOn);
        iteration.results.forEach(iteration.graph::give);
        List<TfValue> outputs = control.add(
                ControlFlow.LOOP,
                inputs,
                Map.of(ControlFlow.STATES, Attribute.of(states.size())),
                Map.of(ControlFlow.BODY, iteration.graph.build()),
                loop.states(),
                types);
        for (int i = 0; i < outputs.size(); i++) {
            if (isList(i)) {
                graph.lists().mark(outputs.get(i));
            }
        }
    }

    private String truth(TfValue condition) {
        return call.plain(InnerTfGraph.truth(call, condition));
    }

    private boolean isList(int state) {
        return graph.lists().isList(states.get(state));
    }

    private KnownType type(int state) {
        KnownType type = states.get(state).type();
        Optional<DType> dtype =
                type.dtype().or(() -> declared(loop.body().graph().getNode(state)));
        return type.withDtype(dtype.orElseThrow(() -> call.unsupportedUse("a state whose data type is not known")));
    }

    /** The data type of the node that stands for a state. */
    private static Optional<DType> declared(NodeDef placeholder) {
        return TfElementTypes.find(placeholder
                .getAttrOrDefault("dtype", AttrValue.getDefaultInstance())
                .getType());
    }

    private Iteration iteration(List<KnownType> types) {
        InnerTfGraph inner = new InnerTfGraph(control.around(), call, "body", true);
        inner.turn("iteration", DType.INT64);
        inner.turn("condition", DType.BOOL);
        List<TfValue> taken = new ArrayList<>();
        for (int i = 0; i < states.size(); i++) {
            String name = loop.body().inputs().get(i);
            taken.add(isList(i) ? inner.list(name, types.get(i)) : inner.input(name, types.get(i)));
        }
        inner.capture(loop.body());
        inner.capture(loop.next());
        List<TfValue> results = inner.place(loop.body(), taken);
        TfValue goesOn = inner.place(loop.next(), results).get(0);
        if (inner.isAlways(goesOn)) {
            throw call.unsupportedUse("a condition that always holds");
        }
        return new Iteration(inner, goesOn, results);
    }

    /** The types with those of lists that have no value yet as the first iteration makes them. */
    private List<KnownType> withElements(List<KnownType> types, Iteration iteration) {
        return IntStream.range(0, types.size())
                .mapToObj(i -> graph.lists().reserved(states.get(i)).isPresent()
                        ? types.get(i)
                                .withShape(iteration.results.get(i).shape().or(types.get(i)::shape))
                        : types.get(i))
                .toList();
    }

    /** The types that hold before and after an iteration. */
    private List<KnownType> widened(List<KnownType> types, Iteration iteration, boolean bySizes) {
        List<KnownType> wider = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            KnownType before = types.get(i);
            KnownType after = iteration.results.get(i).type();
            if (after.dtype()
                    .filter(dtype -> !before.dtype().equals(Optional.of(dtype)))
                    .isPresent()) {
                throw call.malformed("its state " + i + " is " + before + ", and " + after + " after an iteration");
            }
            Optional<Shape> common =
                    before.and(after.withDtype(before.dtype().orElseThrow())).shape();
            wider.add(before.withShape(common.filter(shape -> bySizes || common.equals(before.shape()))));
        }
        return wider;
    }

    /** The value of a state before the first iteration, as a value of ours. */
    private String first(int state, KnownType type, Iteration last) {
        TfValue value = states.get(state);
        Optional<TensorLists.Reserved> reserved = graph.lists().reserved(value);
        if (reserved.isEmpty()) {
            return call.plain(value);
        }
        TensorLists.Reserved made = reserved.get();
        TfCall maker = control.around().call(made.node(), made.inputs());
        Optional<Shape> element = type.shape()
                .map(shape -> new Shape(shape.dims().subList(1, shape.rank())))
                .filter(Shape::isKnown);
        if (element.isPresent()) {
            return TensorListTranslators.zeros(maker, made.of(element.get()), Optional.empty());
        }
        return like(state, last)
                .map(each -> TensorListTranslators.zeros(maker, made, Optional.of(call.plain(each))))
                .orElseGet(() -> control.around().settled(value).stored());
    }

    /**
     * A state that is, as it is before the loop, of the shape that the elements of a list have: it is put into that
     * as it is after.
     */
    private Optional<TfValue> like(int list, Iteration last) {
        return IntStream.range(0, states.size())
                .filter(i -> !isList(i) && last.graph.isItem(last.results.get(list), last.results.get(i)))
                .mapToObj(states::get)
                .findFirst();
    }
}
