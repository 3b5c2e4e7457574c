package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Sums, products, powers, exponentials and logarithms. */
final class CaffeArithmeticLayers {

    private CaffeArithmeticLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("Axpy", CaffeArithmeticLayers::axpy);
        all.one("Eltwise", CaffeArithmeticLayers::eltwise);
        all.one("Exp", CaffeArithmeticLayers::exponential);
        all.one("Log", CaffeArithmeticLayers::logarithm);
        all.one("Power", CaffeArithmeticLayers::power);
    }

    private static Value eltwise(CaffeLayerCall call) {
        CaffeFields params = call.params("eltwise_param");
        params.ignore("stable_prod_grad");
        List<Value> inputs = call.inputs(1, Integer.MAX_VALUE);
        String operation = params.choice("operation", "SUM", "PROD", "SUM", "MAX", "MIN");
        double[] coefficients =
                params.reals("coeff").stream().mapToDouble(Double::doubleValue).toArray();
        if (coefficients.length > 0 && (coefficients.length != inputs.size() || !operation.equals("SUM"))) {
            throw params.wrong(
                    "coeff",
                    "it has " + coefficients.length + " numbers for the " + operation + " of " + inputs.size()
                            + " bottoms");
        }
        return switch (operation) {
            case "PROD" -> {
                Value product = inputs.get(0);
                for (Value factor : inputs.subList(1, inputs.size())) {
                    product = call.add("Mul", product, factor);
                }
                yield product;
            }
            case "SUM" -> sum(call, coefficients.length == 0 ? inputs : weighted(call, inputs, coefficients));
            default -> call.add(operation.equals("MAX") ? "Max" : "Min", inputs, new Params());
        };
    }

    private static List<Value> weighted(CaffeLayerCall call, List<Value> inputs, double[] coefficients) {
        List<Value> terms = new ArrayList<>();
        for (int i = 0; i < coefficients.length; i++) {
            Value x = inputs.get(i);
            terms.add(coefficients[i] == 1 ? x : call.add("Mul", x, call.number("coeff_" + i, coefficients[i])));
        }
        return terms;
    }

    private static Value sum(CaffeLayerCall call, List<Value> inputs) {
        return inputs.size() == 2
                ? call.add("Add", inputs.get(0), inputs.get(1))
                : call.add("Sum", inputs, new Params());
    }

    /** A factor for each channel of each image times one value, plus another value. */
    private static Value axpy(CaffeLayerCall call) {
        List<Value> inputs = call.inputs(3, 3);
        Value factor = ScaleLayers.withAxesBehind(
                call,
                inputs.get(0),
                Math.max(0, inputs.get(1).rank() - inputs.get(0).rank()));
        return call.add("Add", call.add("Mul", inputs.get(1), factor), inputs.get(2));
    }

    /** {@code scale * x + shift}. */
    private static Value scaled(CaffeLayerCall call, Value x, double scale, double shift) {
        Value result = x;
        if (scale != 1) {
            result = call.add("Mul", result, call.number("scale", scale));
        }
        if (shift != 0) {
            result = call.add("Add", result, call.number("shift", shift));
        }
        return result;
    }

    private static Value power(CaffeLayerCall call) {
        CaffeFields params = call.params("power_param");
        double power = params.real("power", 1);
        Value base = scaled(call, call.input(), params.real("scale", 1), params.real("shift", 0));
        return power == 1 ? base : call.add("Pow", base, call.number("power", power));
    }

    private static double base(CaffeFields params) {
        double base = params.real("base", -1);
        if (base != -1 && !(base > 0)) {
            throw params.wrong("base", "expected -1 for e, or a number above 0, found " + base);
        }
        return base;
    }

    private static Value exponential(CaffeLayerCall call) {
        CaffeFields params = call.params("exp_param");
        double factor = base(params) == -1 ? 1 : Math.log(base(params));
        double scale = params.real("scale", 1) * factor;
        return call.add("Exp", scaled(call, call.input(), scale, params.real("shift", 0) * factor));
    }

    private static Value logarithm(CaffeLayerCall call) {
        CaffeFields params = call.params("log_param");
        double base = base(params);
        Value natural = call.add("Log", scaled(call, call.input(), params.real("scale", 1), params.real("shift", 0)));
        return base == -1 ? natural : call.add("Mul", natural, call.number("factor", 1 / Math.log(base)));
    }
}
