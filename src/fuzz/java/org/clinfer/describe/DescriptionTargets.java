package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.fuzz.Judge;
import org.clinfer.fuzz.Target;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/** Operator descriptions, which are read and bound to tensors. */
public final class DescriptionTargets {

    private static final int LONGEST_SEED = 8000;

    private static final List<String> WORDS = List.of(
            "\"optype\"",
            "\"arch\"",
            "\"none\"",
            "\"opencl\"",
            "\"graph\"",
            "\"inherits\"",
            "\"variant\"",
            "\"tensors_in\"",
            "\"tensors_out\"",
            "\"params\"",
            "\"arg_name\"",
            "\"mtype\"",
            "\"dtype\"",
            "\"dims\"",
            "\"ndim\"",
            "\"checks\"",
            "\"check\"",
            "\"default\"",
            "\"one_of\"",
            "\"ptype\"",
            "\"LN_PARAM_NUMBER\"",
            "\"LN_PARAM_ARRAY_NUMBER\"",
            "\"LN_PARAM_STRING\"",
            "\"LN_PARAM_BOOL\"",
            "\"realtype\"",
            "\"len\"",
            "\"ge\"",
            "\"lt\"",
            "\"eq\"",
            "\"variadic\"",
            "\"optional\"",
            "\"extra_privs\"",
            "\"elementwise\"",
            "\"sametype\"",
            "\"sameshape\"",
            "\"from_input\"",
            "\"run\"",
            "\"variants\"",
            "\"families\"",
            "\"like\"",
            "\"defaults\"",
            "\"fits_int\"",
            "\"$x\"",
            "${x}",
            "\"x.dims[0]\"",
            "true",
            "null",
            "[]",
            "{}");

    private DescriptionTargets() {}

    public static List<Target> all() {
        return List.of(new Target("description", folder -> seeds(), WORDS, DescriptionTargets::take));
    }

    private static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        seeds.add(FullDescription.JSON.getBytes(UTF_8));
        DescriptionFiles.inResources(OpCatalog.class.getClassLoader(), OpCatalog.FOLDER).values().stream()
                .filter(file -> file.length < LONGEST_SEED)
                .forEach(seeds::add);
        return seeds;
    }

    private static void take(byte[] json, Path folder) throws Exception {
        Judge.refusesOrDoes(() -> {
            OpCatalog catalog = OpCatalog.empty().with(new TreeMap<>(Map.of("op.json", json)));
            catalog.operators().forEach(DescriptionTargets::bind);
        });
    }

    /** Binds as many small tensors as there are inputs, and no parameter, to an operator. */
    private static void bind(OpDescription op) {
        for (DType dtype : List.of(DType.FLOAT32, DType.INT64)) {
            List<ArgValue> inputs = new ArrayList<>();
            op.inputs().forEach(input -> inputs.add(ArgValue.of(TensorType.of(dtype, 1, 2, 4, 4))));
            Map<String, ExpressionValue> params = Map.of();
            OpBinder.bind(op, "node", inputs, params, Math.max(1, op.outputs().size()));
        }
    }
}
