package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Fully connected layers, tables of rows, and layers that compute nothing. */
final class CaffeCoreLayers {

    private CaffeCoreLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("Embed", CaffeCoreLayers::embed);
        all.one("InnerProduct", CaffeCoreLayers::innerProduct);
        all.one("Dropout", CaffeCoreLayers::dropout);
        all.several("Split", call -> Collections.nCopies(call.layer().tops().size(), call.input()));
        all.several("Silence", call -> List.of());
        all.several("DummyData", CaffeCoreLayers::dummies);
    }

    private static Value dropout(CaffeLayerCall call) {
        CaffeFields params = call.params("dropout_param");
        double ratio = params.real("dropout_ratio", 0.5);
        boolean enlarged = params.flag("scale_train", true);
        if (params.flag("sample_weights_test", false)) {
            return dropped(call, ratio, enlarged ? 1 / (1 - ratio) : 1);
        }
        Value x = call.add("Dropout", List.of(call.input()), new Params().put("ratio", ratio));
        // what was not enlarged in training is made smaller now
        return enlarged ? x : call.add("Mul", x, call.number("share", 1 - ratio));
    }

    /**
     * Bayesian SegNet's samples, whose mean over the pictures of a batch is the result. The seed is made of the layer's name, so
     * that runs can be repeated.
     */
    private static Value dropped(CaffeLayerCall call, double ratio, double factor) {
        Value x = call.input();
        Params draw = new Params()
                .put("distribution", "uniform")
                .put("seed", Integer.toUnsignedLong(call.layer().name().hashCode()));
        Value drawn = call.add("Random", List.of(call.add("Shape", x)), draw, new TensorType(DType.FLOAT64, x.shape()));
        Value kept = call.add("GreaterOrEqual", drawn, call.constant("ratio", Tensor.scalar(DType.FLOAT64, ratio)));
        return call.add("Where", kept, call.add("Mul", x, call.number("factor", factor)), call.number("dropped", 0));
    }

    /** Rows of a table, chosen by whole numbers that are stored as real ones. */
    private static Value embed(CaffeLayerCall call) {
        CaffeFields params = call.params("embed_param");
        long outputs = params.requiredSize("num_output", 1);
        Shape table = Shape.of(params.requiredSize("input_dim", 1), outputs);
        Value weights = call.weight(0, "weights", table, Filler.of(params, "weight_filler"));
        Value indices = call.add("Cast", new Params().put("to", DType.INT32.toString()), call.input());
        Value rows = call.add("Gather", new Params().put("axis", 0L), weights, indices);
        Filler filler = Filler.of(params, "bias_filler");
        return params.flag("bias_term", true)
                ? call.add("Add", rows, call.weight(1, "bias", Shape.of(outputs), filler))
                : rows;
    }

    private static Value innerProduct(CaffeLayerCall call) {
        CaffeFields params = call.params("inner_product_param");
        params.ignore("engine", "bias_filler", "blobs_lr", "weight_decay");
        Value x = call.input();
        int axis = call.axis(params, "axis", 1, x.rank());
        long outputs = params.requiredSize("num_output", 1);
        boolean transposed = params.flag("transpose", false);
        Value rows = axis <= 1
                ? call.add("Flatten", List.of(x), new Params().put("axis", (long) axis))
                : call.add("Reshape", List.of(x), new Params().put("shape", untilAxis(axis)));
        Value weights = weights(call, params, rows, outputs, transposed);
        List<Value> bias = params.flag("bias_term", true)
                ? List.of(call.weight(1, "bias", Shape.of(outputs), Filler.of(params, "bias_filler")))
                : List.of();
        if (axis > 1) {
            Value right = transposed ? weights : call.add("Transpose", weights);
            Value product = call.add("MatMul", rows, right);
            return bias.isEmpty() ? product : call.add("Add", product, bias.get(0));
        }
        List<Value> operands = new ArrayList<>(List.of(rows, weights));
        operands.addAll(bias);
        Value product = call.add("Gemm", operands, new Params().put("transpose_b", !transposed));
        return axis == 1
                ? product
                : call.add("Reshape", List.of(product), new Params().put("shape", new long[] {outputs}));
    }

    /** The axes in front of one as they are, and all others as one. */
    private static long[] untilAxis(int axis) {
        long[] shape = new long[axis + 1];
        shape[axis] = -1;
        return shape;
    }

    private static Value weights(
            CaffeLayerCall call, CaffeFields params, Value rows, long outputs, boolean transposed) {
        Filler filler = Filler.of(params, "weight_filler");
        int last = rows.rank() - 1;
        if (!call.blobs().isEmpty()) {
            long inputs = Blobs.elements(call.blobs().get(0)) / outputs;
            return call.weight(0, "weights", sizes(inputs, outputs, transposed), filler);
        }
        if (rows.shape().dim(last) instanceof Dim.Known inputs) {
            return call.weight(0, "weights", sizes(inputs.size(), outputs, transposed), filler);
        }
        Value given = call.sizes(rows, last, last + 1);
        Value own = call.vector("num_output", outputs);
        Shape shape = transposed
                ? new Shape(List.of(Dim.unknown(), Dim.of(outputs)))
                : new Shape(List.of(Dim.of(outputs), Dim.unknown()));
        return call.weight(0, "weights", transposed ? List.of(given, own) : List.of(own, given), shape, filler);
    }

    private static Shape sizes(long inputs, long outputs, boolean transposed) {
        return transposed ? Shape.of(inputs, outputs) : Shape.of(outputs, inputs);
    }

    /** Tops of one number everywhere. */
    private static List<Value> dummies(CaffeLayerCall call) {
        CaffeFields params = call.params("dummy_data_param");
        List<CaffeFields> fillers = params.messages("data_filler");
        List<CaffeFields> shapes = params.messages("shape");
        List<Value> tops = new ArrayList<>();
        for (int i = 0; i < call.layer().tops().size(); i++) {
            double value = 0;
            if (!fillers.isEmpty()) {
                CaffeFields filler = fillers.get(Math.min(i, fillers.size() - 1));
                filler.ignore("min", "max", "mean", "std", "sparse", "variance_norm");
                if (!filler.text("type").orElse("constant").equals("constant")) {
                    throw call.unsupportedUse("a 'data_filler' of random numbers");
                }
                value = filler.real("value", 0);
            }
            Shape shape = shapes.isEmpty()
                    ? oldShape(params, i)
                    : DefinitionReader.shape(shapes.get(Math.min(i, shapes.size() - 1)));
            tops.add(call.filled("data_" + i, shape, value));
        }
        return tops;
    }

    private static Shape oldShape(CaffeFields params, int top) {
        List<Long> sizes = new ArrayList<>();
        for (String name : List.of("num", "channels", "height", "width")) {
            List<Long> given = params.integers(name, 0);
            if (given.isEmpty()) {
                throw params.wrong(name, "it is missing");
            }
            sizes.add(given.get(Math.min(top, given.size() - 1)));
        }
        return Shape.of(sizes);
    }
}
