package org.clinfer.conformance;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** OpLib's element-wise operators. */
final class RectifierReferences {

    private RectifierReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "Relu", each(v -> Math.max(v, 0)),
                "Relu6", each(v -> Math.min(Math.max(v, 0), 6)),
                "LeakyRelu", Reference.single(RectifierReferences::leakyRelu),
                "PRelu", Reference.single(RectifierReferences::slopes),
                "Eltwise", Reference.single(RectifierReferences::weightedSum));
    }

    private static Reference each(DoubleUnaryOperator function) {
        return Reference.single(call -> Array.of(
                call.input(0).dims(), at -> function.applyAsDouble(call.input(0).at(at))));
    }

    private static Array leakyRelu(Call call) {
        double alpha = call.real("alpha", 0.01);
        Array x = call.input(0);
        return Array.of(x.dims(), at -> x.at(at) < 0 ? alpha * x.at(at) : x.at(at));
    }

    private static Array slopes(Call call) {
        Array x = call.input(0);
        Array slope = call.input(1);
        long[] sizes = x.dims();
        boolean fits = slope.dims().length == 1 && sizes.length > 1 && slope.dims()[0] == sizes[1];
        boolean perChannel = fits && call.flag("per_channel", true);
        return Array.of(sizes, at -> {
            double factor = perChannel ? slope.at(at[1]) : slope.broadcastAt(at);
            return x.at(at) < 0 ? factor * x.at(at) : x.at(at);
        });
    }

    private static Array weightedSum(Call call) {
        double[] alpha = call.reals("alpha");
        return Array.of(call.input(0).dims(), at -> {
            double sum = 0;
            for (int i = 0; i < call.inputs(); i++) {
                sum += (alpha.length == 0 ? 1 : alpha[i]) * call.input(i).at(at);
            }
            return sum;
        });
    }
}
