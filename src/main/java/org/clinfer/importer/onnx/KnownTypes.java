package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.expr.Expr;
import org.clinfer.expr.Value;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.clinfer.importer.KnownType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Types of values as far as they are declared in the file or follow from the nodes written so far. Only ranks, element
 * types, batch sizes and what Reshape and Transpose make of known sizes are followed, which is what old operator forms and
 * numbers of turns need; real inference is the check stage's.
 */
final class KnownTypes {

    private static final Set<String> KEEP_BATCH = Set.of(
            "Conv2d",
            "Convolution",
            "Conv2dTranspose",
            "ConvTranspose",
            "MaxPool",
            "AvgPool",
            "Reorg",
            "MaxUnpool",
            "DeformConv");
    private static final Set<String> KEEP_RANK =
            Set.of("Pad", "Resize", "Slice", "Concat", "Split", "DeePhiTile", "TopK");
    private static final int MAX_RANK = 64;

    private final Map<String, KnownType> types = new HashMap<>();
    private final Map<String, Tensor> constants;
    private final Function<String, Optional<long[]>> elements;

    /**
     * Types of nothing yet.
     *
     * @param constants the constants known so far; read, never written
     * @param elements the elements of a value where they are known
     */
    KnownTypes(Map<String, Tensor> constants, Function<String, Optional<long[]>> elements) {
        this.constants = constants;
        this.elements = elements;
    }

    void declare(String value, KnownType type) {
        types.merge(value, type, KnownType::or);
    }

    KnownType of(String value) {
        Tensor constant = constants.get(value);
        return constant != null ? KnownType.of(constant.type()) : types.getOrDefault(value, KnownType.NOTHING);
    }

    OptionalInt rank(String value) {
        return of(value).rank();
    }

    /** Notes what a node's outputs must be; a declaration in the file stands above it. */
    void follow(Node node) {
        KnownType result = resultOf(node);
        for (int i = 0; i < node.outputs().size(); i++) {
            String output = node.outputs().get(i);
            if (!output.isEmpty()) {
                Optional<DType> described = describedDtype(node, i);
                declare(
                        output,
                        i == 0 ? result : described.map(result::withDtype).orElse(result));
                declare(output, new KnownType(described, Optional.empty()));
            }
        }
    }

    /** The data type that the description says at a glance of an output: that of an input, or always the same. */
    private Optional<DType> describedDtype(Node node, int output) {
        Optional<OpDescription> found = OpCatalog.builtIn().find(node.op());
        if (found.isEmpty() || found.get().outputs().isEmpty()) {
            return Optional.empty();
        }
        OpDescription op = found.get();
        Expr dtype = op.outputs().get(Math.min(output, op.outputs().size() - 1)).dtype();
        for (int i = 0; i < Math.min(node.inputs().size(), op.inputs().size()); i++) {
            String input = op.inputs().get(i).name();
            if (dtype.source().equals(input + ".dtype") || dtype.source().equals(input + "[0].dtype")) {
                return of(node.inputs().get(i)).dtype();
            }
        }
        return Optional.of(dtype.outcomes())
                .filter(outcomes -> outcomes.size() == 1)
                .map(outcomes -> outcomes.iterator().next())
                .filter(Value.Text.class::isInstance)
                .flatMap(label -> DType.of(((Value.Text) label).value()));
    }

    private KnownType resultOf(Node node) {
        List<KnownType> inputs = node.inputs().stream().map(this::of).toList();
        KnownType first = inputs.isEmpty() ? KnownType.NOTHING : inputs.get(0);
        String op = node.op();
        if (op.equals("Cast") || op.equals("BitCast")) {
            return DType.of(String.valueOf(node.params().get("to")))
                    .map(first::withDtype)
                    .orElse(KnownType.NOTHING);
        } else if (op.equals("QuantizeLinear")) {
            Optional<DType> given = inputs.size() > 2 ? inputs.get(2).dtype() : Optional.of(DType.UINT8);
            Optional<DType> asked = DType.of(String.valueOf(node.params().get("code_type")));
            return new KnownType(asked.or(() -> given), first.shape());
        } else if (op.equals("DequantizeLinear")) {
            return first.withDtype(
                    DType.of(String.valueOf(node.params().get("real_type"))).orElse(DType.FLOAT32));
        } else if (op.equals("QuantizedConv") || op.equals("QuantizedMatMul")) {
            DType ofSum = inputs.size() > 5 ? DType.FLOAT32 : DType.INT32;
            Optional<DType> dtype = inputs.size() > 8 ? inputs.get(8).dtype() : Optional.of(ofSum);
            boolean keepsBatch = op.equals("QuantizedConv");
            return new KnownType(dtype, keepsBatch ? first.batchOnly().shape() : productRank(node, first));
        } else if (KEEP_BATCH.contains(op)) {
            return first.batchOnly();
        } else if (KEEP_RANK.contains(op)) {
            return op.equals("Concat") ? joined(node, inputs) : first.rankOnly();
        } else if (op.equals("Shape")) {
            return new KnownType(Optional.of(DType.INT64), Optional.of(KnownType.anyShape(1)));
        } else if (op.equals("NonMaxSuppression") || op.equals("NonZero")) {
            return new KnownType(Optional.of(DType.INT64), Optional.empty());
        } else if (op.equals("Size")) {
            return new KnownType(Optional.of(DType.INT64), Optional.of(Shape.SCALAR));
        }
        return described(node).orElseGet(() -> reshaped(node, first));
    }

    /** The sizes of what is joined along an axis, in sum along that one. */
    private static KnownType joined(Node node, List<KnownType> parts) {
        KnownType first = parts.get(0);
        int rank = first.rank().orElse(0);
        long axis = node.params().get("axis") instanceof Attribute.IntValue said ? said.value() : 0;
        if (first.shape().isEmpty() || axis < -rank || axis >= rank) {
            return first.rankOnly();
        }
        int place = (int) (axis < 0 ? axis + rank : axis);
        List<Dim> dims = new ArrayList<>(first.shape().get().dims());
        long sum = 0;
        for (KnownType part : parts) {
            Optional<Long> size = part.rank().orElse(0) == rank ? part.size(place) : Optional.empty();
            sum = size.isEmpty() || sum < 0 ? -1 : sum + size.get();
        }
        dims.set(place, sum < 0 ? Dim.unknown() : Dim.of(sum));
        return first.withShape(Optional.of(new Shape(dims)));
    }

    /** The type by the description, of operators that keep the sizes of an input or work element by element. */
    private Optional<KnownType> described(Node node) {
        Optional<OpDescription> found =
                OpCatalog.builtIn().find(node.op()).filter(op -> node.outputs().size() == 1);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        OpDescription op = found.get();
        List<String> inputs = node.inputs();
        List<Expr> dims = op.outputs().get(0).dims();
        for (int i = 0; i < Math.min(inputs.size(), op.inputs().size()); i++) {
            if (dims.size() == 1
                    && dims.get(0).source().equals(op.inputs().get(i).name() + ".dims")) {
                return Optional.of(
                        new KnownType(dtype(op, inputs), of(inputs.get(i)).shape()));
            }
        }
        return op.elementwise() ? Optional.of(new KnownType(dtype(op, inputs), broadcast(inputs))) : Optional.empty();
    }

    private Optional<DType> dtype(OpDescription op, List<String> inputs) {
        for (int input : op.moved()) {
            return input < inputs.size() ? of(inputs.get(input)).dtype() : Optional.empty();
        }
        return op.outputs().get(0).dtype().outcomes().stream()
                .filter(Value.Text.class::isInstance)
                .findFirst()
                .flatMap(label -> DType.of(((Value.Text) label).value()));
    }

    /** Operators that keep the element type and make a new shape. */
    private KnownType reshaped(Node node, KnownType x) {
        KnownType typeOnly = x.withShape(Optional.empty());
        return switch (node.op()) {
            case "Flatten", "Gemm" -> typeOnly.withShape(Optional.of(KnownType.anyShape(2)));
            case "Reshape" -> typeOnly.withShape(reshapeTarget(node, x));
            case "Transpose" -> x.withShape(x.shape().map(shape -> transposed(shape, node)));
            case "ConstantOfShape" ->
                DType.of(String.valueOf(node.params().get("dtype")))
                        .map(KnownType.NOTHING::withDtype)
                        .orElse(KnownType.NOTHING);
            case "Mean" ->
                new Attribute.BoolValue(true).equals(node.params().get("keep_dims")) ? x.rankOnly() : typeOnly;
            case "Unsqueeze" -> typeOnly.withShape(rankChange(node, x, 1));
            case "Squeeze" -> typeOnly.withShape(rankChange(node, x, -1));
            case "ArgMax", "ArgMin" ->
                (new Attribute.BoolValue(false).equals(node.params().get("keepdims")) ? typeOnly : x.rankOnly())
                        .withDtype(DType.INT64);
            case "MaxPoolIndices" -> x.batchOnly().withDtype(DType.INT64);
            case "GridSample", "RoiAlign", "MatMulNBits" -> x.rankOnly();
            case "MatMul" -> typeOnly.withShape(productRank(node, x));
            case "Gather" -> typeOnly.withShape(gatheredRank(node, x));
            case "Expand", "GatherND", "Lstm", "Gru", "Rnn" -> typeOnly;
            default -> node.op().startsWith("Reduce") ? typeOnly : KnownType.NOTHING;
        };
    }

    /** The shape after {@code change} axes more for each of those the node lists. */
    private Optional<Shape> rankChange(Node node, KnownType x, int change) {
        Optional<Long> listed = node.params().get("axis") instanceof Attribute.ListValue axes
                ? Optional.of((long) axes.values().size())
                : Optional.of(node.inputs())
                        .filter(inputs -> inputs.size() > 1)
                        .flatMap(inputs -> of(inputs.get(1)).size(0));
        return x.shape()
                .flatMap(shape -> listed.map(count -> shape.rank() + change * count))
                .filter(rank -> rank >= 0 && rank <= MAX_RANK)
                .map(rank -> KnownType.anyShape(rank.intValue()));
    }

    /** Of products of matrices; what a vector takes part in is not followed. */
    private Optional<Shape> productRank(Node node, KnownType a) {
        OptionalInt left = a.rank();
        OptionalInt right = rank(node.inputs().get(1));
        return left.orElse(0) < 2 || right.orElse(0) < 2
                ? Optional.empty()
                : Optional.of(KnownType.anyShape(Math.max(left.getAsInt(), right.getAsInt())));
    }

    /** The axis that is gathered from gives way to those of the indices. */
    private Optional<Shape> gatheredRank(Node node, KnownType x) {
        OptionalInt indices = rank(node.inputs().get(1));
        return x.rank().isEmpty() || indices.isEmpty() || x.rank().getAsInt() < 1
                ? Optional.empty()
                : Optional.of(KnownType.anyShape(x.rank().getAsInt() - 1 + indices.getAsInt()));
    }

    private Optional<Shape> reshapeTarget(Node node, KnownType x) {
        if (node.params().get("shape") instanceof Attribute.ListValue target) {
            return Optional.of(KnownType.anyShape(target.values().size()));
        }
        Optional<long[]> sizes = node.inputs().size() < 2
                ? Optional.empty()
                : elements.apply(node.inputs().get(1)).filter(known -> known.length <= MAX_RANK);
        if (sizes.isPresent() && of(node.inputs().get(1)).rank().orElse(0) == 1) {
            return Optional.of(reshaped(sizes.get(), x));
        }
        return node.inputs().size() < 2
                ? Optional.empty()
                : of(node.inputs().get(1))
                        .size(0)
                        .filter(rank -> rank <= MAX_RANK)
                        .map(rank -> KnownType.anyShape(rank.intValue()));
    }

    /** A size of 0 is not followed, because it may mean that of x; one of -1 where all others are known. */
    private static Shape reshaped(long[] sizes, KnownType x) {
        Optional<Long> elements = x.shape().filter(Shape::isKnown).flatMap(shape -> product(shape.sizes()));
        Optional<Long> given =
                product(Arrays.stream(sizes).filter(size -> size != -1).toArray());
        List<Dim> dims = new ArrayList<>();
        for (long size : sizes) {
            if (size > 0) {
                dims.add(Dim.of(size));
            } else if (size == -1
                    && elements.isPresent()
                    && given.filter(known -> known > 0 && elements.get() % known == 0)
                            .isPresent()) {
                dims.add(Dim.of(elements.get() / given.get()));
            } else {
                dims.add(Dim.unknown());
            }
        }
        return new Shape(dims);
    }

    private static Optional<Long> product(long[] sizes) {
        long product = 1;
        for (long size : sizes) {
            if (size < 0 || Math.multiplyHigh(product, size) != 0 || product * size < 0) {
                return Optional.empty();
            }
            product *= size;
        }
        return Optional.of(product);
    }

    private static Shape transposed(Shape shape, Node node) {
        List<Dim> dims = new ArrayList<>(shape.dims());
        Collections.reverse(dims);
        if (node.params().get("perm") instanceof Attribute.ListValue perm) {
            for (int i = 0; i < dims.size(); i++) {
                boolean named = i < perm.values().size()
                        && perm.values().get(i) instanceof Attribute.IntValue axis
                        && axis.value() >= 0
                        && axis.value() < dims.size();
                dims.set(
                        i,
                        named
                                ? shape.dim((int)
                                        ((Attribute.IntValue) perm.values().get(i)).value())
                                : Dim.unknown());
            }
        }
        return new Shape(dims);
    }

    private Optional<Shape> broadcast(List<String> inputs) {
        List<Optional<Shape>> shapes = inputs.stream()
                .filter(input -> !input.isEmpty())
                .map(input -> of(input).shape())
                .toList();
        if (shapes.stream().distinct().count() == 1) {
            return shapes.get(0);
        }
        if (shapes.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        int rank = shapes.stream()
                .flatMap(Optional::stream)
                .mapToInt(Shape::rank)
                .max()
                .orElse(0);
        return Optional.of(KnownType.anyShape(rank));
    }
}
