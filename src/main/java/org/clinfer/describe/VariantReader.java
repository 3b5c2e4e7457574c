package org.clinfer.describe;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;

/** Reads what a variant has beside the rules for its abstract operator: tensors of its own, and what it does. */
final class VariantReader {

    private static final List<String> DEVICE_KINDS = List.of("cpu", "gpu", "accelerator");

    private VariantReader() {}

    /** The kind of device that a variant is meant for; empty for any. */
    static Optional<String> deviceKind(JsonReader json) {
        if (!json.has("device_kind")) {
            return Optional.empty();
        }
        String kind = json.text("device_kind");
        if (!DEVICE_KINDS.contains(kind)) {
            throw json.failureAt(
                    "device_kind", "expected one of " + String.join(", ", DEVICE_KINDS) + ", found '" + kind + "'");
        }
        return Optional.of(kind);
    }

    static ScratchDescription scratch(JsonReader json, String arch) {
        MemoryKind.read(json, arch);
        boolean dimsAreList = json.find("dims").filter(List.class::isInstance).isEmpty();
        return new ScratchDescription(
                json.name("arg_name"),
                dtype(json),
                dimsAreList ? List.of(json.requiredExpression("dims")) : json.expressions("dims"),
                dimsAreList,
                json.flag("static").orElse(false),
                json.text("doc", ""));
    }

    /** A data type's label, or an expression that gives one. */
    static Expr dtype(JsonReader json) {
        String dtype = json.text("dtype");
        return DType.of(dtype).isPresent()
                ? Expr.constant(ExpressionValue.of(dtype))
                : json.requiredExpression("dtype");
    }

    static VariantDescription.Body launches(JsonReader json) {
        return new VariantDescription.Launches(
                json.objects("static_run", LaunchReader::launch),
                json.objects("run", LaunchReader::launch),
                json.objects("post_run", LaunchReader::launch));
    }

    static VariantDescription.Body elements(JsonReader json) {
        return new VariantDescription.Elements(
                json.objects("run", rule -> new ElementRule(rule.name("tensor"), rule.requiredExpression("value"))));
    }

    static VariantDescription.Body parts(JsonReader json) {
        if (!json.has("ops")) {
            throw json.failureAt("", "field 'ops' is missing");
        }
        Set<String> names = new HashSet<>();
        List<PartDescription> parts = json.objects("ops", VariantReader::part);
        for (PartDescription part : parts) {
            if (!names.add(part.name())) {
                throw json.failureAt("ops", "two parts have the name '" + part.name() + "'");
            }
        }
        return new VariantDescription.Parts(parts);
    }

    private static PartDescription part(JsonReader json) {
        Map<String, Expr> params = new LinkedHashMap<>();
        json.objects("params", param -> {
            String name = param.name("arg_name");
            if (params.put(name, param.requiredExpression("value")) != null) {
                throw json.failureAt("params", "two values for '" + name + "'");
            }
            return name;
        });
        return new PartDescription(
                json.name("name"),
                json.name("optype"),
                json.objects("tensors_in", VariantReader::tensor),
                json.objects("tensors_out", VariantReader::tensor),
                params,
                json.expression("when"));
    }

    private static PartDescription.Tensor tensor(JsonReader json) {
        return new PartDescription.Tensor(json.name("arg_name"), json.name("name"));
    }
}
