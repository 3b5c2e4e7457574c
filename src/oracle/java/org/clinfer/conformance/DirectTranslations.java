package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.clinfer.conformance.Inexpressible.Reason;
import org.clinfer.importer.onnx.DirectOperators;
import org.clinfer.tensor.DType;

/** The operators of {@link DirectOperators}. */
final class DirectTranslations {

    private DirectTranslations() {}

    static Map<String, Translation> all() {
        Map<String, Translation> all = new TreeMap<>();
        DirectOperators.all()
                .values()
                .forEach(op -> all.put(op.op(), (call, graph) -> {
                    requireSayable(op.name(), call);
                    return translate(op, call, graph);
                }));
        return all;
    }

    private static List<String> translate(DirectOperators.Operator op, OracleCall call, OnnxGraph graph) {
        List<String> inputs = new ArrayList<>(List.of(call.inputs()));
        for (DirectOperators.Elements each : op.elements()) {
            while (inputs.size() <= each.input()) {
                inputs.add("");
            }
            inputs.set(each.input(), given(each, each.input() < op.least(), call, graph));
        }
        op.indices()
                .ifPresent(place -> inputs.set(
                        place,
                        graph.step("Cast", inputs.get(place))
                                .with("to", OnnxGraph.number(DType.INT64))
                                .out()));
        graph.requireOpset(op.since());
        OnnxGraph.Step step = graph.step(op.name(), inputs.toArray(String[]::new));
        for (DirectOperators.Field field : op.fields()) {
            if (call.params().has(field.param()) || field.kind() == DirectOperators.Kind.SET_FLAG) {
                put(step, field, call.params());
            }
        }
        int outputs = op.name().equals("TopK") ? 2 : call.params().outputs();
        return step.out(outputs).subList(0, call.params().outputs());
    }

    /** The input that gives a parameter; no list is as good as an empty one. */
    private static String given(DirectOperators.Elements elements, boolean needed, OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        String param = elements.param();
        if (!params.has(param)) {
            return call.input(elements.input());
        } else if (elements.single()) {
            return graph.ints(params.integer(param, 0));
        }
        return needed || params.ints(param).length > 0 ? graph.ints(params.ints(param)) : "";
    }

    private static void requireSayable(String op, OracleCall call) {
        if (op.equals("Mod") && !call.params().flag("fmod", false)) {
            throw new Inexpressible(Reason.VALUE_REFUSED);
        } else if (op.equals("BatchNormalization") || op.equals("InstanceNormalization")) {
            requireOneType(call);
        } else if (op.equals("LRN")) {
            requireSound(call);
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

    private static void requireOneType(OracleCall call) {
        if (IntStream.range(0, call.params().inputs()).anyMatch(i -> call.type(i) != call.type(0))) {
            throw new Inexpressible(Reason.SEVERAL_TYPES);
        }
    }

    private static void requireSound(OracleCall call) {
        Call params = call.params();
        if (params.integer("size", 1) % 2 == 0 || params.real("alpha", 1) <= 0 || params.real("beta", 1) <= 0) {
            throw new Inexpressible(Reason.VALUE_REFUSED);
        }
        if (call.dims(0).length != 4) {
            throw new Inexpressible(Reason.RANK_REFUSED);
        }
    }

    private static void put(OnnxGraph.Step step, DirectOperators.Field field, Call params) {
        String name = field.name();
        String param = field.param();
        switch (field.kind()) {
            case INTEGER -> step.with(name, params.integer(param, 0));
            case FLAG, SET_FLAG, NONZERO -> step.with(name, params.flag(param, false));
            case REAL -> step.with(name, params.real(param, 0));
            case TEXT -> step.with(name, params.text(param, ""));
            case INTEGERS -> step.with(name, params.ints(param));
        }
    }
}
