package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.importer.FieldCase;
import org.clinfer.importer.FieldsContract;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Every attribute that TensorFlow's operators have changes the result, or is refused by its name. */
class OpAttributesTest extends FieldsContract {

    /** Attributes that change no result, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("use_cudnn_on_gpu", "which library computes"),
            Map.entry("grad_x", "training"),
            Map.entry("grad_y", "training"),
            Map.entry("grad_a", "training"),
            Map.entry("grad_b", "training"),
            Map.entry("message", "a text for people"),
            Map.entry("first_n", "how often the text is shown"),
            Map.entry("summarize", "how much is shown"),
            Map.entry("validate_indices", "whether indices outside are an error"),
            Map.entry("incompatible_shape_error", "whether sizes that do not fit are an error"),
            Map.entry("num_elements", "which lengths of a list are an error"),
            Map.entry("resize_if_index_out_of_bounds", "whether an index behind the end is an error"),
            Map.entry("exponential_avg_factor", "running statistics, which are not given where it is not 1"),
            Map.entry("sparse_gradient", "training"),
            Map.entry("align", "where several diagonals stand, which are refused"),
            Map.entry("sorted", "in which order they are; they fall either way"),
            Map.entry("_FusedMatMul epsilon", "a normalisation, which no product is fused with"),
            Map.entry("AccumulateNV2 shape", "which shapes are an error"),
            Map.entry("EnsureShape shape", "which shapes are an error"),
            Map.entry("PlaceholderWithDefault shape", "the value is the default"));

    /** Attributes that say what the operands must be, which are other ones then. */
    private static final Set<String> OF_SHAPES =
            Set.of("data_format", "MaxPoolGrad strides", "Placeholder dtype", "Placeholder shape");

    OpAttributesTest() throws IOException {
        super("tensorflow");
    }

    @Override
    protected String name(String attribute) {
        return attribute.substring(0, attribute.indexOf('='));
    }

    @Override
    protected boolean isWithoutEffect(FieldCase of, String name) {
        return WITHOUT_EFFECT.containsKey(name)
                || WITHOUT_EFFECT.containsKey(of.type() + " " + name)
                || name.equals("SrcT");
    }

    @Override
    protected boolean isAbout(String refusal, FieldCase of, String attribute) {
        String name = name(attribute);
        return refusal.contains(name) || OF_SHAPES.contains(name) || OF_SHAPES.contains(of.type() + " " + name);
    }

    @Override
    protected String foreign() {
        return "foreign=1";
    }

    @Override
    protected Stream<FieldCase> everyType() {
        TfNetwork network = new TfNetwork(new TfGraph().input("x", 1).build(), "graph.pb");
        return new TfTranslatorTable(network, OpCatalog.builtIn())
                .operators().stream().sorted().map(op -> new FieldCase(op, "0", op.equals("Const") ? "" : "p1,4,4,1"));
    }

    private static int[] ints(String list) {
        return Stream.of(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }

    /** Numbers from -2 to 2; weights are above 0, as variances must be. */
    private static float[] random(int seed, long[] sizes, float least) {
        float[] numbers = new float[elements(sizes)];
        Random random = new Random(seed + 3L);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = least + 4 * random.nextFloat();
        }
        return numbers;
    }

    private static void operand(TfGraph graph, String operand, String name, int number, Map<String, Tensor> inputs) {
        String what = operand.substring(1);
        switch (operand.charAt(0)) {
            case 'p' -> {
                graph.input(name, longs(what));
                inputs.put(name, Tensor.of(random(number, longs(what), -2), longs(what)));
            }
            case 'w' -> graph.floats(name, longs(what), random(number, longs(what), .1f));
            case 'f' -> {
                List<Float> numbers =
                        Stream.of(what.split(",")).map(Float::valueOf).toList();
                if (numbers.size() == 1) {
                    graph.number(name, numbers.get(0));
                } else {
                    graph.constant(
                            name,
                            TfGraph.tensor(DataType.DT_FLOAT, numbers.size()).addAllFloatVal(numbers));
                }
            }
            case 's' -> graph.integer(name, Integer.parseInt(what));
            case 'b' -> {
                graph.input(name + "x", longs(what));
                graph.number(name + "zero", 0);
                graph.node("Greater", name, name + "x " + name + "zero");
                inputs.put(name + "x", Tensor.of(random(number, longs(what), -2), longs(what)));
            }
            case 'l' -> {
                graph.input(name + "t", longs(what));
                inputs.put(name + "t", Tensor.of(random(number, longs(what), -2), longs(what)));
                int[] sizes = ints(what);
                graph.ints(name + "s", new long[] {sizes.length - 1}, Arrays.copyOfRange(sizes, 1, sizes.length));
                graph.node(
                        "TensorListFromTensor",
                        name,
                        name + "t " + name + "s",
                        "element_dtype=float",
                        "shape_type=int32");
            }
            case 'q' ->
                graph.constant(
                        name,
                        TfGraph.tensor(DataType.DT_QUINT8, 3)
                                .setTensorContent(ByteString.copyFrom(new byte[] {1, 9, 99})));
            default -> {
                String[] both = what.split("@", -1);
                long[] sizes = both.length > 1 ? longs(both[1]) : new long[] {ints(both[0]).length};
                graph.ints(name, sizes, ints(both[0]));
            }
        }
    }

    private static AttrValue shape(String sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        LongStream.of(longs(sizes))
                .forEach(size -> shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(size)));
        return AttrValue.newBuilder().setShape(shape).build();
    }

    @Override
    protected String results(FieldCase of, List<String> fields) throws IOException {
        TfGraph graph = new TfGraph();
        Map<String, Tensor> inputs = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (String operand : of.parts(1)) {
            names.add("i" + names.size());
            operand(graph, operand, names.get(names.size() - 1), names.size(), inputs);
        }
        Map<Boolean, List<String>> shapes =
                fields.stream().collect(Collectors.partitioningBy(each -> each.contains("=shape:")));
        graph.node(
                of.type(),
                "y",
                String.join(" ", names),
                Objects.requireNonNull(shapes.get(false)).toArray(String[]::new));
        Objects.requireNonNull(shapes.get(true))
                .forEach(each -> graph.with(node -> node.putAttr(name(each), shape(each.replaceFirst(".*:", "")))));
        if (of.type().equals("Placeholder")) {
            inputs.put("y", Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3));
        }
        graph.node("Identity", "z", of.number(0) == 0 ? "y" : "y:" + of.number(0));
        try (Model model = engine().load(engine().read(graph.write(folder)));
                Session session = model.session();
                Result result = session.run(inputs)) {
            return model.graph().inputs() + text(result.outputs());
        }
    }

    @Test
    void everyAttributeHasACase() {
        Map<String, Set<String>> tried = new HashMap<>();
        for (FieldCase each : cases()) {
            each.others()
                    .forEach(other -> tried.computeIfAbsent(each.type(), op -> new TreeSet<>())
                            .add(name(other)));
        }
        OpAttributes.OTHERS.forEach((op, attributes) -> {
            // the value of a constant is all that there is of it
            if (!op.equals("Const")) {
                assertThat(tried.getOrDefault(op, Set.of())).as(op).containsAll(attributes);
            }
        });
    }

    @Test
    void attributesThatAnOperatorNeedsAreAskedFor() throws IOException {
        Map<String, String> wrong = new HashMap<>();
        for (String op : OpAttributes.REQUIRED.keySet()) {
            FieldCase given = cases().stream()
                    .filter(each -> each.type().equals(op))
                    .findFirst()
                    .orElse(new FieldCase(op, "0", ""));
            for (String name : Objects.requireNonNull(OpAttributes.REQUIRED.get(op))) {
                String after = outcome(given, without(given, Set.of(name)));
                if (!after.endsWith("attribute '" + name + "' is missing; " + op + " needs it")) {
                    wrong.put(op + " " + name, after);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aListOfNothingIsNoWindow() throws IOException {
        FieldCase pool = new FieldCase("MaxPool", "0", "p1,6,6,2");
        assertThat(outcome(pool, List.of("ksize=[1,2,2,1]", "padding=SAME", "strides=[]")))
                .endsWith("attribute 'strides' is missing; MaxPool needs it");
    }
}
