package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/** Dense, layers that change the shape, and layers that do nothing at inference. */
final class TfjsCoreLayers {

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

    private TfjsCoreLayers() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        NOTHING.forEach(kind -> all.one(kind, TfjsCoreLayers::nothing));
        all.one("Dense", TfjsCoreLayers::dense);
        all.one("Flatten", TfjsCoreLayers::flatten);
        all.one("Reshape", TfjsCoreLayers::reshape);
        all.one("Permute", TfjsCoreLayers::permute);
        all.one("RepeatVector", TfjsCoreLayers::repeatVector);
        all.one("Rescaling", TfjsCoreLayers::rescaling);
    }

    private static Value nothing(TfjsLayerCall call) {
        call.config().ignore("rate", "stddev", "seed", "noise_shape", "l1", "l2", "data_format");
        return call.input();
    }

    private static Value dense(TfjsLayerCall call) {
        Value x = call.input();
        call.config().require("units");
        int rank = x.rank();
        String name = call.weightName("kernel", 0);
        Tensor kernel = call.weight(name, 2);
        TfjsConvolutionLayers.requireSize(call, "units", kernel, 1);
        if (rank < 2) {
            throw call.malformed("its input has no features");
        }
        List<Value> operands = new ArrayList<>(List.of(x, call.shared(name, () -> kernel)));
        Optional<Value> bias = TfjsConvolutionLayers.bias(call, 1);
        if (rank == 2) {
            bias.ifPresent(operands::add);
            return TfjsActivations.fused(call, call.add("Gemm", operands, new Params()));
        }
        Value product = call.add("MatMul", operands, new Params());
        return TfjsActivations.fused(call, bias.isEmpty() ? product : call.add("Add", product, bias.get()));
    }

    /** The channels come last, whatever the layout. */
    private static Value flatten(TfjsLayerCall call) {
        Value x = call.input();
        if (call.isChannelsFirst() && x.rank() > 2) {
            int rank = x.rank();
            long[] last = new long[rank];
            Arrays.setAll(last, axis -> axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1);
            x = call.add("Transpose", new Params().put("perm", last), x);
        }
        return call.add("Flatten", new Params().put("axis", 1), x);
    }

    /** One size may be left open: -1 for Keras, no value for TensorFlow.js. */
    private static Value reshape(TfjsLayerCall call) {
        Value x = call.input();
        call.config().require("target_shape");
        long[] sizes = call.config().integersOrNothing("target_shape", -1).orElseThrow();
        if (Arrays.stream(sizes).anyMatch(size -> size < -1 || size == 0)) {
            throw call.malformed("config.target_shape: expected sizes from 1 or -1, found " + Arrays.toString(sizes));
        }
        long[] all = LongStream.concat(LongStream.of(0), Arrays.stream(sizes)).toArray();
        return call.add("Reshape", new Params().put("shape", all), x);
    }

    /** Keras counts the axes from 1, that of the batch being 0 and staying. */
    private static Value permute(TfjsLayerCall call) {
        Value x = call.input();
        call.config().require("dims");
        long[] axes = call.config().integers("dims").orElseThrow();
        long[] perm = LongStream.concat(LongStream.of(0), Arrays.stream(axes)).toArray();
        return call.add("Transpose", new Params().put("perm", perm), x);
    }

    private static Value repeatVector(TfjsLayerCall call) {
        Value x = call.input(2);
        long times = call.config().integer("n");
        Value column = call.add("Unsqueeze", new Params().put("axis", new long[] {1}), x);
        return call.add("DeePhiTile", new Params().put("multiples", new long[] {1, times, 1}), column);
    }

    private static Value rescaling(TfjsLayerCall call) {
        TfjsFields config = call.config();
        config.require("scale");
        Value scaled = TfjsActivations.times(call, call.input(), config.real("scale", 1));
        return TfjsActivations.plus(call, scaled, config.real("offset", 0));
    }
}
