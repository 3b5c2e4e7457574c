package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.clinfer.RandomNetwork.Value;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;

/**
 * A float16 network with Casts to float32 and back around what loses too many digits in float16. Gemm is among it because
 * ONNX Runtime adds its products in float16.
 */
final class RandomHalves implements RandomExporter {

    private static final Set<String> IN_SINGLES = Set.of(
            "Softmax",
            "LogSoftmax",
            "LayerNormalization",
            "InstanceNormalization",
            "BatchNormalization",
            "ReduceMean",
            "ReduceL2",
            "ReduceSumSquare",
            "Resize",
            "Gemm",
            "Erf",
            "LSTM",
            "GRU",
            "RNN");

    /** How many values the network is cut at: what is between them is rounded as often as nodes are. */
    private static final double CUT = 0.4;

    @Override
    public DType type() {
        return DType.FLOAT16;
    }

    @Override
    public int nodesOfAStep() {
        return 2;
    }

    @Override
    public List<Value> write(RandomNetwork network, Step step) {
        if (!IN_SINGLES.contains(step.op()) || (step.op().equals("Softmax") && network.chance(0.2))) {
            return cut(network, network.plain(step.op(), step.joined(), step.sizes(), step.attributes()));
        }
        List<String> inputs = new ArrayList<>();
        for (String input : step.inputs()) {
            boolean isHalf = network.constantOf(input)
                    .map(tensor -> tensor.dtype() == DType.FLOAT16)
                    .orElse(!input.isEmpty());
            inputs.add(isHalf ? network.aside("Cast", input, to(DType.FLOAT32)) : input);
        }
        List<String> made = network.several(
                step.op(), String.join(",", inputs), step.sizes().size(), step.attributes());
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < made.size(); i++) {
            results.addAll(
                    network.plain("Cast", made.get(i), List.of(step.sizes().get(i)), to(DType.FLOAT16)));
        }
        return cut(network, results);
    }

    private static List<Value> cut(RandomNetwork network, List<Value> values) {
        for (Value value : values) {
            if (network.chance(CUT)) {
                network.pieces().cut(value.name());
            }
        }
        return values;
    }

    private static AttributeProto to(DType type) {
        return integer("to", RandomPieces.number(type));
    }
}
