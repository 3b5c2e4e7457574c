package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.RandomNetwork.Value;
import org.clinfer.RandomPieces.Bound;
import org.clinfer.RandomPieces.Rounding;
import org.clinfer.RandomQuantization.Grid;
import org.clinfer.RandomQuantization.Weights;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Static quantization with operators that take and give codes: QLinearConv, QLinearMatMul, QGemm and their like. */
final class RandomIntegers implements RandomExporter {

    private static final Set<String> MOVEMENTS = Set.of("MaxPool", "Transpose", "Reshape", "Slice", "Split", "Gather");

    /** Operators with a form for codes that computes real numbers within. */
    private static final Set<String> ELEMENTS = Set.of("Add", "Mul", "Sigmoid", "GlobalAveragePool");

    private static final Bound FEW = new Bound(64, 0);

    /** The sum of integers is exact; the product of scales, and by it, are not. */
    private static final Bound SCALED = new Bound(8, 0);

    /** Codes of a value of real numbers. */
    private record Coded(String codes, Grid grid) {}

    private final boolean isReduced;
    private final Map<String, Coded> coded = new HashMap<>();
    private Optional<RandomQuantization> drawn = Optional.empty();

    /** @param reduced whether int8 weights have 7 bits */
    RandomIntegers(boolean reduced) {
        isReduced = reduced;
    }

    @Override
    public int nodesOfAStep() {
        return 2;
    }

    @Override
    public List<Value> write(RandomNetwork network, Step step) {
        RandomQuantization codes = drawn.orElseGet(() -> new RandomQuantization(network, isReduced));
        drawn = Optional.of(codes);
        boolean isOfConstant = network.constantOf(step.input(1)).isPresent();
        if (step.op().equals("Conv") || step.op().equals("MatMul") || (step.op().equals("Gemm") && isOfConstant)) {
            return List.of(product(network, codes, step, isOfConstant));
        }
        if (MOVEMENTS.contains(step.op())) {
            return movement(network, codes, step);
        }
        if (ELEMENTS.contains(step.op())) {
            return List.of(elements(network, codes, step));
        }
        return network.plain(step.op(), step.joined(), step.sizes(), step.attributes());
    }

    private Coded coded(RandomNetwork network, RandomQuantization codes, String name) {
        Coded known = coded.get(name);
        if (known != null) {
            return known;
        }
        Optional<Tensor> constant = network.constantOf(name);
        if (constant.isPresent()) {
            Grid grid = codes.grid(-2.5, 2.5);
            return new Coded(network.aside("QuantizeLinear", name + "," + grid.scale() + "," + grid.optional()), grid);
        }
        Grid grid = codes.grid(-2.5, 2.5);
        Coded made = new Coded(codes.quantized(name, grid, new Bound(512, 0)), grid);
        coded.put(name, made);
        return made;
    }

    private Value result(RandomQuantization codes, String made, Grid grid, long[] sizes) {
        Value value = codes.real(made, grid, sizes);
        coded.put(value.name(), new Coded(made, grid));
        return value;
    }

    private List<Value> movement(RandomNetwork network, RandomQuantization codes, Step step) {
        Coded x = coded(network, codes, step.input(0));
        List<String> inputs = new ArrayList<>(step.inputs());
        inputs.set(0, x.codes());
        List<String> made = network.several(
                step.op(), String.join(",", inputs), step.sizes().size(), step.attributes());
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < made.size(); i++) {
            results.add(result(codes, made.get(i), x.grid(), step.sizes().get(i)));
        }
        return results;
    }

    private Value elements(RandomNetwork network, RandomQuantization codes, Step step) {
        List<String> inputs = new ArrayList<>();
        List<String> reals = new ArrayList<>();
        for (String input : step.inputs()) {
            Coded x = coded(network, codes, input);
            inputs.addAll(List.of(x.codes(), x.grid().scale(), x.grid().zero()));
            reals.add(shadowReal(network, x));
        }
        Grid grid = step.op().equals("Sigmoid") ? codes.grid(0, 1) : codes.grid(-2.5, 2.5);
        inputs.addAll(List.of(grid.scale(), grid.zero()));
        String made = network.aside("QLinear" + step.op(), String.join(",", inputs));
        String real = network.pieces().shadow(network, step.op(), String.join(",", reals));
        network.pieces().cut(new Rounding(made, real, grid.scale(), grid.zero(), FEW));
        return result(codes, made, grid, step.sizes().get(0));
    }

    private static String shadowReal(RandomNetwork network, Coded x) {
        return network.pieces()
                .shadow(
                        network,
                        "DequantizeLinear",
                        x.codes() + "," + x.grid().scale() + "," + x.grid().zero());
    }

    private Value product(RandomNetwork network, RandomQuantization codes, Step step, boolean ofConstant) {
        Coded x = coded(network, codes, step.input(0));
        Grid grid = codes.grid(-2.5, 2.5);
        String made;
        String sum;
        String factor;
        List<String> inputs =
                new ArrayList<>(List.of(x.codes(), x.grid().scale(), x.grid().zero()));
        if (ofConstant) {
            Tensor reals = network.constantOf(step.input(1)).orElseThrow();
            Weights weights = codes.weights(reals, RandomPairs.axis(step, reals));
            inputs.addAll(List.of(weights.codes(), weights.scale(), weights.zero()));
            Optional<Weights> bias = Optional.of(step.input(2))
                    .flatMap(network::constantOf)
                    .map(constant -> codes.bias(constant, x.grid().step(), weights));
            made = node(network, step, inputs, bias.map(Weights::codes).orElse(""), grid);
            sum = sum(network, step, x, constant(network, weights), bias.map(all -> integers(network, all.elements())));
            factor = factor(network, step, x, weights.steps(), grid);
        } else {
            Coded other = coded(network, codes, step.input(1));
            inputs.addAll(
                    List.of(other.codes(), other.grid().scale(), other.grid().zero()));
            made = node(network, step, inputs, "", grid);
            sum = sum(network, step, x, centred(network, other), Optional.empty());
            factor = factor(network, step, x, List.of(other.grid().step()), grid);
        }
        String real = network.pieces().shadow(network, "Mul", sum + "," + factor);
        network.pieces().cut(new Rounding(made, real, "", grid.zero(), SCALED));
        return result(codes, made, grid, step.sizes().get(0));
    }

    private static String node(RandomNetwork network, Step step, List<String> inputs, String bias, Grid grid) {
        List<String> all = new ArrayList<>(inputs);
        List<String> results = List.of(grid.scale(), grid.zero());
        if (step.op().equals("Gemm")) {
            all.add(bias);
            all.addAll(results);
            return network.aside("QGemm", String.join(",", all), step.attributes());
        }
        all.addAll(results);
        if (!bias.isEmpty()) {
            all.add(bias);
        }
        return network.aside("QLinear" + step.op(), String.join(",", all), step.attributes());
    }

    /** The sum of products as float32, which has all integers below 2^24. */
    private static String sum(RandomNetwork network, Step step, Coded x, String weights, Optional<String> bias) {
        String inputs = centred(network, x) + "," + weights
                + bias.map(name -> "," + name).orElse("");
        if (!step.op().equals("Gemm")) {
            return network.pieces().shadow(network, step.op(), inputs, step.attributes());
        }
        // QGemm multiplies the sum with its bias by alpha, which stands in the factor
        return network.pieces().shadow(network, "Gemm", inputs, integer("transB", step.integer("transB", 0)));
    }

    private static String centred(RandomNetwork network, Coded x) {
        RandomPieces pieces = network.pieces();
        String reals = pieces.shadow(network, "Cast", x.codes(), integer("to", RandomPieces.number(DType.FLOAT32)));
        return pieces.shadow(
                network, "Sub", reals + "," + network.scalar(x.grid().origin()));
    }

    private static String constant(RandomNetwork network, Weights weights) {
        Tensor centred =
                Tensor.allocate(DType.FLOAT32, weights.elements().shape().sizes());
        for (long i = 0; i < centred.elements(); i++) {
            centred.setDouble(i, weights.elements().getDouble(i) - weights.origin());
        }
        return network.constant(centred);
    }

    private static String integers(RandomNetwork network, Tensor codes) {
        return network.constant(codes.to(DType.FLOAT32));
    }

    private static String factor(RandomNetwork network, Step step, Coded x, List<Double> steps, Grid grid) {
        double alpha = step.given().stream()
                .filter(attribute -> attribute.getName().equals("alpha"))
                .mapToDouble(AttributeProto::getF)
                .findFirst()
                .orElse(1);
        double[] factors = new double[steps.size()];
        Arrays.setAll(factors, i -> alpha * x.grid().step() * steps.get(i) / grid.step());
        int rank = step.sizes().get(0).length;
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        sizes[step.op().equals("Conv") ? 1 : rank - 1] = steps.size();
        return network.constant(Tensor.of(RandomQuantization.floats(factors), sizes));
    }
}
