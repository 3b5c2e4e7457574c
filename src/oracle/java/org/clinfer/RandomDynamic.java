package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.RandomNetwork.Value;
import org.clinfer.RandomPieces.Bound;
import org.clinfer.RandomPieces.Rounding;
import org.clinfer.RandomQuantization.Weights;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Dynamic quantization: DynamicQuantizeLinear, products of integers, Cast and the product of the scales. */
final class RandomDynamic implements RandomExporter {

    /** What a few steps among real numbers round. */
    private static final Bound STEPS = new Bound(512, 0);

    private final boolean isReduced;
    private final Map<String, List<String>> coded = new HashMap<>();
    private Optional<RandomQuantization> drawn = Optional.empty();

    /** @param reduced whether int8 weights have 7 bits */
    RandomDynamic(boolean reduced) {
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
        Optional<Tensor> constant = network.constantOf(step.input(1));
        if (constant.isEmpty() || !List.of("Conv", "MatMul").contains(step.op())) {
            return network.plain(step.op(), step.joined(), step.sizes(), step.attributes());
        }
        Tensor reals = constant.orElseThrow();
        boolean isConv = step.op().equals("Conv");
        // ConvInteger has one zero point for all weights, and exporters one scale
        Weights weights = codes.weights(reals, isConv ? -1 : RandomPairs.axis(step, reals));
        List<String> x = coded.computeIfAbsent(step.input(0), name -> coded(network, name));
        String sum = network.aside(
                isConv ? "ConvInteger" : "MatMulInteger",
                String.join(",", x.get(0), weights.codes(), x.get(2), weights.optional(network)),
                step.attributes());
        AttributeProto real = integer("to", RandomPieces.number(DType.FLOAT32));
        String cast = network.aside("Cast", sum, real);
        String scale = network.aside("Mul", x.get(1) + "," + weights.scale());
        List<String> inputs = new ArrayList<>(List.of(cast, scale));
        if (network.chance(0.3)) {
            Collections.reverse(inputs);
        }
        if (step.input(2).isEmpty()) {
            return network.plain("Mul", String.join(",", inputs), step.sizes());
        }
        String product = network.aside("Mul", String.join(",", inputs));
        String bias = step.input(2);
        if (isConv) {
            long[] sizes = new long[step.sizes().get(0).length];
            Arrays.fill(sizes, 1);
            sizes[1] = network.constantOf(bias).orElseThrow().elements();
            bias = network.aside("Reshape", bias + "," + network.longs(sizes));
        }
        return network.plain("Add", product + "," + bias, step.sizes());
    }

    /** Codes, scale and zero point; the network is cut at all three. */
    private static List<String> coded(RandomNetwork network, String real) {
        List<String> made = network.several("DynamicQuantizeLinear", real, 3);
        RandomPieces pieces = network.pieces();
        pieces.cutScale(made.get(1), real);
        String least = pieces.shadow(network, "ReduceMin", real, integer("keepdims", 0));
        String below = pieces.shadow(network, "Neg", least);
        String shown = pieces.shadow(network, "Relu", below);
        pieces.cut(new Rounding(made.get(2), shown, made.get(1), "", STEPS));
        pieces.cut(new Rounding(made.get(0), real, made.get(1), made.get(2), STEPS));
        return made;
    }
}
