package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** Dense, layers that change the shape, and layers that do nothing at inference. */
final class CoreLayers {

    private static final List<String> NOTHING = List.of(
            "Dropout",
            "SpatialDropout1D",
            "SpatialDropout2D",
            "SpatialDropout3D",
            "GaussianDropout",
            "GaussianNoise",
            "AlphaDropout",
            "ActivityRegularization",
            "Identity");

    private CoreLayers() {}

    static Map<String, LayerTranslator> all() {
        Map<String, LayerTranslator> all = new HashMap<>();
        NOTHING.forEach(kind -> all.put(kind, CoreLayers::nothing));
        all.put("Dense", CoreLayers::dense);
        all.put("Flatten", CoreLayers::flatten);
        all.put("Reshape", CoreLayers::reshape);
        all.put("Permute", CoreLayers::permute);
        all.put("RepeatVector", CoreLayers::repeatVector);
        all.put("Rescaling", CoreLayers::rescaling);
        return all;
    }

    private static Value nothing(LayerCall call) {
        call.config().ignore("rate", "stddev", "seed", "noise_shape", "l1", "l2", "data_format");
        return call.input();
    }

    private static Value dense(LayerCall call) {
        Value x = call.input();
        call.config().require("units");
        int rank = call.rank(x);
        String name = call.weightName("kernel", 0);
        Tensor kernel = call.weight(name, 2);
        ConvolutionLayers.requireSize(call, "units", kernel, 1);
        if (rank < 2) {
            throw call.malformed("its input has no features");
        }
        List<String> operands = new ArrayList<>(List.of(x.name(), call.constant(name, () -> kernel)));
        Optional<String> bias = ConvolutionLayers.bias(call, 1);
        if (rank == 2) {
            bias.ifPresent(operands::add);
            return Activations.apply(call, call.add("Gemm", operands, rank, new Params()));
        }
        Value product = call.add("MatMul", operands, rank, new Params());
        Value sum = bias.isEmpty() ? product : call.add("Add", List.of(product.name(), bias.get()), rank, new Params());
        return Activations.apply(call, sum);
    }

    /** The channels come last, whatever the layout. */
    private static Value flatten(LayerCall call) {
        Value x = call.input();
        if (call.isChannelsFirst() && call.rank(x) > 2) {
            int rank = call.rank(x);
            long[] last = new long[rank];
            Arrays.setAll(last, axis -> axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1);
            x = call.add("Transpose", x, new Params().put("perm", last));
        }
        return call.add("Flatten", List.of(x.name()), 2, new Params().put("axis", 1));
    }

    /** One size may be left open: -1 for Keras, no value for TensorFlow.js. */
    private static Value reshape(LayerCall call) {
        Value x = call.input();
        call.config().require("target_shape");
        long[] sizes = call.config().integersOrNothing("target_shape", -1).orElseThrow();
        if (Arrays.stream(sizes).anyMatch(size -> size < -1 || size == 0)) {
            throw call.malformed("config.target_shape: expected sizes from 1 or -1, found " + Arrays.toString(sizes));
        }
        long[] all = LongStream.concat(LongStream.of(0), Arrays.stream(sizes)).toArray();
        return call.add("Reshape", List.of(x.name()), all.length, new Params().put("shape", all));
    }

    /** Keras counts the axes from 1, that of the batch being 0 and staying. */
    private static Value permute(LayerCall call) {
        Value x = call.input();
        call.config().require("dims");
        long[] axes = call.config().integers("dims").orElseThrow();
        long[] perm = LongStream.concat(LongStream.of(0), Arrays.stream(axes)).toArray();
        return call.add("Transpose", List.of(x.name()), perm.length, new Params().put("perm", perm));
    }

    private static Value repeatVector(LayerCall call) {
        Value x = call.input(2);
        long times = call.config().integer("n");
        Value column = call.add("Unsqueeze", List.of(x.name()), 3, new Params().put("axis", new long[] {1}));
        return call.add("DeePhiTile", column, new Params().put("multiples", new long[] {1, times, 1}));
    }

    private static Value rescaling(LayerCall call) {
        Fields config = call.config();
        config.require("scale");
        Value scaled = Activations.times(call, call.input(), config.real("scale", 1));
        return Activations.plus(call, scaled, config.real("offset", 0));
    }
}
