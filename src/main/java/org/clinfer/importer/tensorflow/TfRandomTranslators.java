package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * Random numbers. TensorFlow draws others in every run, of its own generator, with or without a seed; here they follow from the name of the node
 * and its seeds, so that runs can be repeated.
 */
final class TfRandomTranslators {

    private TfRandomTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "RandomUniform", call -> draw(call, "uniform"),
                "RandomStandardNormal", call -> draw(call, "normal"));
    }

    private static void draw(TfCall call, String distribution) {
        if (call.graph().isRepeated()) {
            throw call.unsupportedUse("a place in a loop, which would draw the same numbers each time");
        }
        int seed = Objects.hash(
                call.node().name(), call.node().integer("seed", 0), call.node().integer("seed2", 0));
        Params params = new Params().put("distribution", distribution).put("seed", Integer.toUnsignedLong(seed));
        DType type = call.node()
                .dtype("dtype")
                .orElseThrow(() -> call.malformed("attribute 'dtype' is missing; it says what is drawn"));
        call.give(
                "Cast",
                List.of(call.step("Random", List.of(call.plain(0)), params)),
                new Params().put("to", type.label()));
    }
}
