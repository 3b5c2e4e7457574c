package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.RandomNetwork.Value;
import org.clinfer.RandomPieces.Bound;
import org.clinfer.RandomQuantization.Grid;
import org.clinfer.RandomQuantization.Weights;
import org.clinfer.tensor.Tensor;

/** Static quantization in pairs: QuantizeLinear and DequantizeLinear around operators on real numbers. */
final class RandomPairs implements RandomExporter {

    private static final Set<String> PRODUCTS = Set.of("Conv", "ConvTranspose", "MatMul", "Gemm");

    private static final Set<String> MOVEMENTS =
            Set.of("MaxPool", "Transpose", "Reshape", "Slice", "Split", "Gather", "DepthToSpace", "GlobalMaxPool");

    private static final Set<String> ELEMENTS = Set.of(
            "Add",
            "Mul",
            "Concat",
            "AveragePool",
            "GlobalAveragePool",
            "ReduceMean",
            "Relu",
            "Clip",
            "LeakyRelu",
            "Sigmoid",
            "HardSigmoid",
            "HardSwish",
            "Tanh",
            "Softmax",
            "Pad",
            "Resize");

    /** Operators all of whose inputs are data. */
    private static final Set<String> OF_MANY =
            Set.of("Add", "Mul", "Concat", "MatMul", "Conv", "ConvTranspose", "Gemm");

    /** What an operator other than a product rounds, for each element of its result. */
    private static final long FEW = 64;

    private final boolean isReduced;
    private final Map<String, Grid> grids = new HashMap<>();
    private final Map<String, Long> roundings = new HashMap<>();
    private Optional<RandomQuantization> drawn = Optional.empty();

    /** @param reduced whether int8 weights have 7 bits */
    RandomPairs(boolean reduced) {
        isReduced = reduced;
    }

    @Override
    public int nodesOfAStep() {
        return 4;
    }

    @Override
    public List<Value> write(RandomNetwork network, Step step) {
        RandomQuantization codes = drawn.orElseGet(() -> new RandomQuantization(network, isReduced));
        drawn = Optional.of(codes);
        if (PRODUCTS.contains(step.op())) {
            return product(network, codes, step);
        }
        if (!MOVEMENTS.contains(step.op()) && !ELEMENTS.contains(step.op())) {
            return island(network, step);
        }
        List<String> inputs = new ArrayList<>(step.inputs());
        int data = OF_MANY.contains(step.op()) ? inputs.size() : 1;
        for (int i = 0; i < data; i++) {
            inputs.set(i, input(network, codes, inputs.get(i)));
        }
        Optional<Grid> kept = MOVEMENTS.contains(step.op()) && network.chance(0.85)
                ? Optional.ofNullable(grids.get(inputs.get(0)))
                : Optional.empty();
        List<String> made = network.several(
                step.op(), String.join(",", inputs), step.sizes().size(), step.attributes());
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < made.size(); i++) {
            Grid grid = kept.orElseGet(() -> grid(codes, step.op()));
            results.add(pair(
                    codes, made.get(i), grid, new Bound(FEW, 0), step.sizes().get(i)));
        }
        return results;
    }

    private static Grid grid(RandomQuantization codes, String op) {
        return switch (op) {
            case "Relu", "Clip" -> codes.grid(0, 3);
            case "Sigmoid", "HardSigmoid", "Softmax" -> codes.grid(0, 1);
            case "Tanh" -> codes.grid(-1, 1);
            default -> codes.grid(-2.5, 2.5);
        };
    }

    private Value pair(RandomQuantization codes, String real, Grid grid, Bound error, long[] sizes) {
        Value value = codes.real(codes.quantized(real, grid, error), grid, sizes);
        grids.put(value.name(), grid);
        return value;
    }

    /** An operator that stays among real numbers. */
    private List<Value> island(RandomNetwork network, Step step) {
        long sum = FEW;
        for (String input : step.inputs()) {
            sum += roundings.getOrDefault(input, 0L);
        }
        List<Value> made = network.plain(step.op(), step.joined(), step.sizes(), step.attributes());
        for (Value value : made) {
            roundings.put(value.name(), sum);
        }
        return made;
    }

    /** An input as DequantizeLinear gives it. */
    private String input(RandomNetwork network, RandomQuantization codes, String name) {
        if (name.isEmpty() || grids.containsKey(name)) {
            return name;
        }
        Optional<Tensor> constant = network.constantOf(name);
        if (constant.isPresent()) {
            Weights weights = codes.weights(constant.orElseThrow(), -1);
            return dequantized(network, weights, -1);
        }
        Grid grid = codes.grid(-2.5, 2.5);
        long before = roundings.getOrDefault(name, 0L);
        String code = codes.quantized(name, grid, new Bound(before + 4, 0));
        String real = network.aside("DequantizeLinear", code + "," + grid.scale() + "," + grid.optional());
        grids.put(real, grid);
        return real;
    }

    private static String dequantized(RandomNetwork network, Weights weights, int axis) {
        String inputs = weights.codes() + "," + weights.scale() + "," + weights.optional(network);
        return weights.isByChannel()
                ? network.aside("DequantizeLinear", inputs, integer("axis", axis))
                : network.aside("DequantizeLinear", inputs);
    }

    private List<Value> product(RandomNetwork network, RandomQuantization codes, Step step) {
        String x = input(network, codes, step.input(0));
        Optional<Tensor> constant = network.constantOf(step.input(1));
        String inputs;
        Bound error;
        if (constant.isPresent()) {
            Tensor reals = constant.orElseThrow();
            int axis = axis(step, reals);
            Weights weights = codes.weights(reals, axis);
            inputs = x + "," + dequantized(network, weights, axis);
            long terms = terms(step, reals) + FEW;
            error = new Bound(terms, 0);
            if (!step.input(2).isEmpty()) {
                // PyTorch leaves a bias in real numbers, which is then computed in units of the sums
                boolean isReal = network.chance(0.25);
                double stepOfX = Objects.requireNonNull(grids.get(x)).step();
                Tensor bias = network.constantOf(step.input(2)).orElseThrow();
                inputs += "," + (isReal ? step.input(2) : dequantized(network, codes.bias(bias, stepOfX, weights), 0));
                error = new Bound(terms, isReal ? 0.5 * stepOfX * weights.largestStep() : 0);
            }
        } else {
            inputs = x + "," + input(network, codes, step.input(1));
            Value rows = network.valueOf(step.input(0)).orElseThrow();
            error = new Bound(rows.size(rows.rank() - 1) + FEW, 0);
        }
        String y = network.aside(step.op(), inputs, step.attributes());
        Grid grid = codes.grid(-2.5, 2.5);
        if (network.chance(0.4)) {
            boolean isRelu = network.chance(0.6);
            y = isRelu
                    ? network.aside("Relu", y)
                    : network.aside("Clip", y + "," + network.scalar(0) + "," + network.scalar(6));
            grid = codes.grid(0, isRelu ? 3 : 6);
        }
        return List.of(pair(codes, y, grid, error, step.sizes().get(0)));
    }

    /** The axis of the channels of y in constant weights, or -1 where steps by channel are not used. */
    static int axis(Step step, Tensor weights) {
        return switch (step.op()) {
            case "Conv" -> 0;
            case "Gemm" -> step.integer("transB", 0) == 1 ? 0 : 1;
            case "MatMul" -> weights.shape().rank() - 1;
            default -> step.integer("group", 1) == 1 ? 1 : -1;
        };
    }

    /** How many products an element of y is a sum of, at most. */
    static long terms(Step step, Tensor weights) {
        long all = weights.elements();
        return all / weights.shape().size(Math.max(0, axis(step, weights)));
    }
}
