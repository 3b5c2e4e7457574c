package org.clinfer.importer.tensorflow;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Lists of tensors of one shape, as loops read their steps from and write their results to. */
final class TensorListTranslators {

    /** Operators that take a list as their first input. */
    static final Set<String> READERS = Set.of(
            "TensorListGetItem",
            "TensorListSetItem",
            "TensorListStack",
            "TensorListGather",
            "TensorListLength",
            "TensorListElementShape",
            "TensorListConcatV2",
            "TensorListPushBack",
            "TensorListPopBack",
            "TensorListResize");

    private TensorListTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.ofEntries(
                entry("EmptyTensorList", TensorListTranslators::empty),
                entry("TensorListReserve", TensorListTranslators::reserve),
                entry("TensorListFromTensor", TensorListTranslators::fromTensor),
                entry("TensorListGetItem", TensorListTranslators::gather),
                entry("TensorListGather", TensorListTranslators::gather),
                entry("TensorListSetItem", TensorListTranslators::setItem),
                entry("TensorListPushBack", TensorListTranslators::pushBack),
                entry("TensorListPopBack", TensorListTranslators::popBack),
                entry("TensorListResize", TensorListTranslators::resize),
                entry("TensorListStack", TensorListTranslators::stack),
                entry("TensorListLength", TensorListTranslators::length),
                entry("TensorListElementShape", TensorListTranslators::elementSizes),
                entry("TensorListConcatV2", TensorListTranslators::concat));
    }

    private static TensorLists lists(TfCall call) {
        return call.graph().lists();
    }

    private static void reserve(TfCall call) {
        reserve(call, call.input(1));
    }

    /** A list of no element, whatever it may have at most. */
    private static void empty(TfCall call) {
        String none = call.scalar(DType.INT32, 0);
        reserve(call, call.graph().value(call.node().name() + "/length", none, false));
    }

    private static void reserve(TfCall call, TfValue size) {
        DType dtype = call.node().dtype("element_dtype").orElseThrow();
        Optional<Shape> element = shape(call, 0);
        TensorLists.Reserved made = new TensorLists.Reserved(call.node(), call.inputs(), size, dtype, element);
        if (element.filter(Shape::isKnown).isPresent()) {
            String zeros = zeros(call, made, Optional.empty());
            call.give(0, lists(call).mark(call.graph().value(call.node().name(), zeros, false)));
            return;
        }
        KnownType type = made.type();
        Optional<long[]> length =
                call.graph().integers(size).flatMap(Integers::all).filter(known -> known.length == 1 && known[0] >= 0);
        Optional<Shape> shape = type.shape()
                .map(each ->
                        length.map(known -> withFirst(each, Dim.of(known[0]))).orElse(each));
        call.give(0, lists(call).reserve(TfValue.plain(call.node().name(), type.withShape(shape)), made));
    }

    private static Shape withFirst(Shape shape, Dim first) {
        return new Shape(
                Stream.concat(Stream.of(first), shape.dims().stream().skip(1)).toList());
    }

    /** The shape that an input says; empty if it says nothing, not even the number of axes. */
    private static Optional<Shape> shape(TfCall call, int input) {
        return call.graph()
                .integers(call.input(input))
                .filter(sizes -> !sizes.scalar())
                .map(sizes -> new Shape(sizes.values().stream()
                        .map(size ->
                                size.filter(known -> known >= 0).map(Dim::of).orElse(Dim.unknown()))
                        .toList()));
    }

    /**
     * Adds the zeros that a reserved list is at first.
     *
     * @param call one of that node
     * @param like a value of ours that has the shape of an element; empty if that is known
     * @return the value of ours
     */
    static String zeros(TfCall call, TensorLists.Reserved made, Optional<String> like) {
        Params params = new Params().put("dtype", made.dtype().label());
        Optional<long[]> length = call.graph().integers(made.length()).flatMap(Integers::all);
        if (like.isEmpty() && length.filter(known -> known[0] >= 0).isPresent()) {
            long[] sizes = LongStream.concat(
                            Arrays.stream(length.get()),
                            Arrays.stream(made.element().orElseThrow().sizes()))
                    .toArray();
            return call.step("ConstantOfShape", List.of(), params.put("shape", sizes));
        }
        String first = vector(call, call.plain(made.length()));
        String rest = like.map(value -> call.step("Shape", value))
                .orElseGet(() -> call.constant(made.element().orElseThrow().sizes()));
        String sizes = call.step("Concat", List.of(first, rest), new Params().put("axis", 0L));
        return call.step("ConstantOfShape", List.of(sizes), params);
    }

    /** An integer as a vector of sizes. */
    private static String vector(TfCall call, String integer) {
        String wide = call.step("Cast", List.of(integer), new Params().put("to", DType.INT64.label()));
        return call.step("Reshape", List.of(wide), new Params().put("shape", new long[] {1}));
    }

    private static void fromTensor(TfCall call) {
        call.give(0, lists(call).mark(call.graph().value(call.node().name(), call.plain(0), false)));
    }

    /** The tensor that a list is. */
    private static String list(TfCall call) {
        TfValue list = call.input(0);
        if (!lists(call).isList(list)) {
            throw call.unsupportedUse("a list that is not made in the network");
        }
        if (lists(call).reserved(list).isPresent()) {
            throw call.unsupportedUse("a list of tensors whose shape is not known");
        }
        return list.stored();
    }

    private static void gather(TfCall call) {
        call.give("Gather", List.of(list(call), call.plain(1)), new Params().put("axis", 0L));
    }

    private static void setItem(TfCall call) {
        String item = call.plain(2);
        String list = begun(call, item);
        String index = call.step("Unsqueeze", List.of(vector(call, call.plain(1))), front());
        String slice = call.step("Unsqueeze", List.of(item), front());
        boolean grows = call.node().flag("resize_if_index_out_of_bounds", false);
        TfValue before = call.input(0);
        TfValue changed;
        if (grows && !isWithin(call, before)) {
            String more = call.step("Add", vector(call, call.plain(1)), call.constant(1L));
            changed = call.give("ScatterND", longer(call, list, more), index, slice);
            call.input(2)
                    .shape()
                    .ifPresent(shape -> call.declare(changed, withFirst(withSizesOf(shape, before), Dim.unknown())));
        } else {
            changed = call.give("ScatterND", list, index, slice);
            call.input(2).shape().ifPresent(shape -> call.declare(changed, withSizesOf(shape, before)));
        }
        lists(call).write(changed, call.input(2));
    }

    private static boolean isWithin(TfCall call, TfValue list) {
        Optional<Long> index =
                call.integers(1).filter(known -> known.length == 1).map(known -> known[0]);
        return index.isPresent()
                && list.size(0).filter(size -> index.get() < size).isPresent();
    }

    /** The list, which gets its value by its first item where it has none. */
    private static String begun(TfCall call, String item) {
        Optional<TensorLists.Reserved> reserved = lists(call).reserved(call.input(0));
        return reserved.map(made -> zeros(call.as(made.node(), made.inputs()), made, Optional.of(item)))
                .orElseGet(() -> list(call));
    }

    /** A list with zeros behind, up to so many elements, unless it has more. */
    private static String longer(TfCall call, String list, String least) {
        String none = call.constant(0L);
        String missing = call.step("Max", call.step("Sub", least, count(call, list)), none);
        String pads = call.step("Concat", List.of(none, missing), new Params().put("axis", 0L));
        return call.step("Pad", list, pads, "", none);
    }

    private static String count(TfCall call, String list) {
        Params first = new Params().put("start", 0L).put("end", 1L);
        return call.step("Shape", List.of(list), first);
    }

    private static void pushBack(TfCall call) {
        String item = call.plain(1);
        TfValue before = call.input(0);
        String slice = call.step("Unsqueeze", List.of(item), front());
        TfValue changed = call.give("Concat", List.of(begun(call, item), slice), new Params().put("axis", 0L));
        Dim more = before.size(0).map(size -> Dim.of(size + 1)).orElse(Dim.unknown());
        call.input(1).shape().ifPresent(shape -> call.declare(changed, withFirst(withSizesOf(shape, before), more)));
        lists(call).write(changed, call.input(1));
    }

    /** The list without its last element, and that. */
    private static void popBack(TfCall call) {
        String list = list(call);
        Params front = new Params()
                .put("starts", new long[] {0})
                .put("ends", new long[] {-1})
                .put("axes", new long[] {0});
        lists(call).mark(call.give("Slice", List.of(list), front));
        String last = call.scalar(DType.INT64, -1);
        call.give(1, "Gather", List.of(list, last), new Params().put("axis", 0L), false);
    }

    private static void resize(TfCall call) {
        String size = vector(call, call.plain(1));
        String list = longer(call, list(call), size);
        TfValue changed =
                call.give("Slice", List.of(list, call.constant(0L), size), new Params().put("axes", new long[] {0}));
        lists(call).mark(changed);
    }

    private static Params front() {
        return new Params().put("axis", new long[] {0});
    }

    /** The shape of a list of elements of a shape, whose sizes may be known from what the list was before. */
    private static Shape withSizesOf(Shape element, TfValue before) {
        List<Dim> dims = new ArrayList<>();
        dims.add(before.size(0).map(Dim::of).orElse(Dim.unknown()));
        for (int axis = 0; axis < element.rank(); axis++) {
            Dim own = element.dim(axis);
            Optional<Long> known = before.size(axis + 1).filter(size -> before.hasRank(element.rank() + 1));
            dims.add(own instanceof Dim.Known ? own : known.map(Dim::of).orElse(own));
        }
        return new Shape(dims);
    }

    private static void stack(TfCall call) {
        call.give(0, call.graph().value(call.node().name(), list(call), false));
    }

    private static void length(TfCall call) {
        Optional<TensorLists.Reserved> reserved = lists(call).reserved(call.input(0));
        if (reserved.isPresent()) {
            call.give(0, reserved.get().length());
            return;
        }
        String count = sizes(call, 0, 1);
        String scalar = call.step("Squeeze", List.of(count), front());
        call.give("Cast", List.of(scalar), new Params().put("to", DType.INT32.label()));
    }

    /** Some sizes of the tensor that a list is. */
    private static String sizes(TfCall call, long start, long end) {
        Params part = new Params()
                .put("starts", new long[] {start})
                .put("ends", new long[] {end})
                .put("axes", new long[] {0});
        return call.step("Slice", List.of(call.step("Shape", list(call))), part);
    }

    private static void elementSizes(TfCall call) {
        DType dtype = call.node().dtype("shape_type").orElse(DType.INT64);
        call.give("Cast", List.of(sizes(call, 1, Long.MAX_VALUE)), new Params().put("to", dtype.label()));
    }

    /** The elements one behind the other, and the size that each of them has along its first axis. */
    private static void concat(TfCall call) {
        String rest = sizes(call, 2, Long.MAX_VALUE);
        String any = call.constant(-1L);
        String joined = call.step("Concat", List.of(any, rest), new Params().put("axis", 0L));
        call.give("Reshape", list(call), joined);
        call.give(1, "Expand", List.of(sizes(call, 1, 2), sizes(call, 0, 1)), new Params(), false);
    }
}
