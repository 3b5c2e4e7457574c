package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.conformance.Inexpressible.Reason;
import org.clinfer.importer.onnx.DirectOperators;
import org.clinfer.tensor.DType;

/** Operators that ONNX has under the same name, with the same inputs and attributes. */
final class DirectTranslations {

    private DirectTranslations() {}

    static Map<String, Translation> all() {
        Map<String, Translation> all = new TreeMap<>();
        DirectOperators.all()
                .values()
                .forEach(op -> all.put(op.name(), (call, graph) -> {
                    List<String> inputs = new ArrayList<>(List.of(call.inputs()));
                    op.given().forEach((param, place) -> {
                        if (call.params().has(param)) {
                            while (inputs.size() <= place) {
                                inputs.add("");
                            }
                            inputs.set(place, graph.ints(call.params().integer(param, 0)));
                        }
                    });
                    requireSayable(op.name(), call);
                    op.indices()
                            .ifPresent(place -> inputs.set(
                                    place,
                                    graph.step("Cast", inputs.get(place))
                                            .with("to", OnnxGraph.number(DType.INT64))
                                            .out()));
                    OnnxGraph.Step step = graph.step(op.name(), inputs.toArray(String[]::new));
                    for (DirectOperators.Field field : op.fields()) {
                        if (call.params().has(field.name())) {
                            put(step, field, call.params());
                        }
                    }
                    int outputs = op.name().equals("TopK") ? 2 : call.params().outputs();
                    return step.out(outputs).subList(0, call.params().outputs());
                }));
        return all;
    }

    private static void requireSayable(String op, OracleCall call) {
        if (op.equals("Mod") && !call.params().flag("fmod", false)) {
            throw new Inexpressible(Reason.VALUE_REFUSED);
        } else if (op.equals("TopK")
                && (Array.elements(call.dims(0)) == 0
                        || (call.params().has("k") && call.params().integer("k", 0) == 0))) {
            throw new Inexpressible(Reason.NOTHING_TO_CHOOSE);
        } else if (op.equals("BitShift")) {
            DType type = call.type(0);
            boolean moves = Arrays.stream(call.values(1)).allMatch(bits -> bits >= 0 && bits < type.bits());
            if (!type.isUnsigned() || !moves) {
                throw new Inexpressible(Reason.UNDEFINED_SHIFT);
            }
        }
    }

    private static void put(OnnxGraph.Step step, DirectOperators.Field field, Call params) {
        String name = field.name();
        switch (field.kind()) {
            case INTEGER -> step.with(name, params.integer(name, 0));
            case FLAG -> step.with(name, params.flag(name, false));
            case REAL -> step.with(name, params.real(name, 0));
            case TEXT -> step.with(name, params.text(name, ""));
            case INTEGERS -> step.with(name, params.ints(name));
        }
    }
}
