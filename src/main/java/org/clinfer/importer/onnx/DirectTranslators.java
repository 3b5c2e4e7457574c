package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.DirectOperators.Kind;
import org.clinfer.tensor.DType;

/** The operators of {@link DirectOperators}: an attribute that is not given has the default of the description. */
final class DirectTranslators {

    /** The reductions of truths as those of 0 and 1. */
    private static final Map<String, String> OF_TRUTHS = Map.of("add", "max", "max", "max", "mul", "min", "min", "min");

    private DirectTranslators() {}

    static Map<String, OnnxTranslator> all() {
        Map<String, OnnxTranslator> all = new HashMap<>();
        DirectOperators.all()
                .values()
                .forEach(op -> all.put(op.name(), (node, graph) -> translate(op, node, graph, node.inputs())));
        all.put("Gemm", DirectTranslators::gemm);
        all.put("Scatter", DirectTranslators::scatter);
        all.put("ScatterElements", DirectTranslators::scatterInto);
        all.put("ScatterND", DirectTranslators::scatterInto);
        all.put("GridSample", DirectTranslators::gridSample);
        all.put("RoiAlign", DirectTranslators::roiAlign);
        return all;
    }

    /** Before operator set 11 the addend is always there, before 7 it broadcasts on request, which it does by itself. */
    static void gemm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(node.opset() < 11 ? 3 : 2, 3);
        node.ignore("broadcast");
        translate(operator("Gemm"), node, graph, node.inputs());
    }

    /** ScatterElements as it was called before operator set 11. */
    private static void scatter(OnnxNode node, OnnxGraphWriter graph) {
        translate(operator("ScatterElements"), node, graph, node.inputs());
    }

    /** Truths that are added are joined by or, those that are multiplied by and: the larger and the smaller of 0 and 1. */
    private static void scatterInto(OnnxNode node, OnnxGraphWriter graph) {
        DirectOperators.Operator op = operator(node.op());
        Params params = params(op, node);
        Optional<String> reduction = Optional.ofNullable(OF_TRUTHS.get(node.text("reduction", "none")));
        boolean ofTruths = graph.types().of(node.input(0)).dtype().equals(Optional.of(DType.BOOL));
        if (!ofTruths || reduction.isEmpty()) {
            translate(op, node, graph, node.inputs(), params);
            return;
        }
        node.requireInputs(3, 3);
        params.put("reduction", reduction.get());
        Steps steps = new Steps(node, graph);
        String numbers = steps.cast(node.input(0), DType.UINT8);
        String updates = steps.cast(node.input(2), DType.UINT8);
        String scattered = steps.add(op.op(), params, numbers, node.input(1), updates);
        steps.last("Cast", new Params().put("to", DType.BOOL.label()), scattered);
    }

    /** Before operator set 20 the modes have names of two dimensions. */
    private static void gridSample(OnnxNode node, OnnxGraphWriter graph) {
        DirectOperators.Operator op = operator("GridSample");
        Params params = params(op, node);
        String mode = node.text("mode", "linear");
        params.put("mode", mode.equals("bilinear") ? "linear" : mode.equals("bicubic") ? "cubic" : mode);
        translate(op, node, graph, node.inputs(), params);
    }

    /** Before operator set 16 pixels have their centres at whole numbers. */
    private static void roiAlign(OnnxNode node, OnnxGraphWriter graph) {
        DirectOperators.Operator op = operator("RoiAlign");
        Params params = params(op, node);
        if (node.opset() < 16) {
            params.put("coordinate_transformation_mode", "output_half_pixel");
        }
        translate(op, node, graph, node.inputs(), params);
    }

    static DirectOperators.Operator operator(String name) {
        return Objects.requireNonNull(DirectOperators.all().get(name));
    }

    /** Adds the operator that the node is, with these inputs. */
    static void translate(OnnxNode node, OnnxGraphWriter graph, List<String> inputs) {
        translate(operator(node.op()), node, graph, inputs);
    }

    private static void translate(
            DirectOperators.Operator op, OnnxNode node, OnnxGraphWriter graph, List<String> inputs) {
        translate(op, node, graph, inputs, params(op, node));
    }

    /** Adds the operator with these inputs and parameters, which may be others than those of the node. */
    static void translate(
            DirectOperators.Operator op, OnnxNode node, OnnxGraphWriter graph, List<String> inputs, Params params) {
        boolean several = op.description().outputs().size() > 1;
        graph.add(node, op.op(), inputs, several ? outputs(node, graph) : List.of(node.output()), params);
    }

    private static void requireInputs(DirectOperators.Operator op, OnnxNode node) {
        if (op.isBefore(node.opset())) {
            int most = op.elements().get(0).input();
            node.requireInputs(most, most);
        } else {
            boolean all = op.most() == DirectOperators.ANY;
            node.requireInputs(all ? Math.max(op.least(), node.inputs().size()) : op.least(), op.most());
        }
    }

    /** The names of all outputs, one that nobody asks for in the place of each that is left out. */
    private static List<String> outputs(OnnxNode node, OnnxGraphWriter graph) {
        return node.outputs().stream()
                .map(name -> name.isEmpty() ? graph.freshName(node.name() + "/unused") : name)
                .toList();
    }

    /** The parameters that the attributes of a node give, after a look at the number of its inputs. */
    static Params params(DirectOperators.Operator op, OnnxNode node) {
        requireInputs(op, node);
        node.ignore("consumed_inputs"); // before operator set 6
        Params params = new Params();
        for (DirectOperators.Field field : op.fields()) {
            Optional<Expr> byDefault = op.byDefault(field);
            if (node.has(field.name()) || field.kind() == Kind.SET_FLAG || byDefault.isEmpty()) {
                read(field.name(), field.kind(), node, params, field.param());
            } else if (field.kind() == Kind.REAL) {
                rounded(byDefault.get()).ifPresent(number -> params.put(field.param(), number));
            }
        }
        for (DirectOperators.Elements each : op.elements()) {
            boolean asAttribute =
                    node.opset() < each.since() && !each.attribute().isEmpty();
            if (asAttribute && (each.input() < op.least() || node.has(each.attribute()))) {
                read(each.attribute(), each.single() ? Kind.INTEGER : Kind.INTEGERS, node, params, each.param());
            }
        }
        return params;
    }

    /** The default as an attribute has it, in float32, if that is another number. */
    private static Optional<Double> rounded(Expr byDefault) {
        return Optional.of(byDefault.evaluate(Scope.empty()))
                .filter(ExpressionValue.Real.class::isInstance)
                .map(value -> ((ExpressionValue.Real) value).value())
                .filter(number -> (float) (double) number != number)
                .map(number -> (double) (float) (double) number);
    }

    private static void read(String name, Kind kind, OnnxNode node, Params params, String param) {
        switch (kind) {
            case INTEGER -> params.put(param, node.integer(name));
            case FLAG, SET_FLAG -> params.put(param, node.flag(name, kind == Kind.SET_FLAG));
            case NONZERO -> params.put(param, node.integer(name) != 0);
            case REAL -> params.put(param, node.real(name));
            case TEXT -> params.put(param, node.text(name));
            case INTEGERS -> params.put(param, node.requiredIntegers(name));
        }
    }
}
