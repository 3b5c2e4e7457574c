package org.clinfer.importer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;

/** The types of a node's outputs as far as its description says them without all types of its inputs. */
final class Glance {

    private final OpDescription op;
    private final List<Inference.Operand> operands;
    private final Map<String, Attribute> params;

    Glance(OpDescription op, List<Inference.Operand> operands, Map<String, Attribute> params) {
        this.op = op;
        this.operands = operands;
        this.params = params;
    }

    List<KnownType> types(int count) {
        return IntStream.range(0, count)
                .mapToObj(output -> new KnownType(dtype(output), shape(output)))
                .toList();
    }

    /** The data type of an output that is that of an input, a parameter, or always the same. */
    Optional<DType> dtype(int output) {
        if (op.outputs().isEmpty()) {
            return Optional.empty();
        }
        Expr dtype = description(output).dtype();
        for (int i = 0; i < Math.min(operands.size(), op.inputs().size()); i++) {
            String input = op.inputs().get(i).name();
            if (dtype.source().equals(input + ".dtype") || dtype.source().equals(input + "[0].dtype")) {
                return operands.get(i).type().dtype();
            }
        }
        if (params.get(dtype.source()) instanceof Attribute.TextValue given) {
            return DType.of(given.value());
        }
        return Optional.of(dtype.outcomes())
                .filter(outcomes -> outcomes.size() == 1)
                .map(outcomes -> outcomes.iterator().next())
                .filter(ExpressionValue.Text.class::isInstance)
                .flatMap(label -> DType.of(((ExpressionValue.Text) label).value()));
    }

    /** The shape of an output that is that of an input, or has a number of axes that is always the same. */
    Optional<Shape> shape(int output) {
        if (op.outputs().isEmpty()) {
            return Optional.empty();
        }
        List<Expr> dims = description(output).dims();
        if (!description(output).dimsAreList()) {
            return Optional.of(KnownType.anyShape(dims.size()));
        }
        return IntStream.range(0, Math.min(operands.size(), op.inputs().size()))
                .filter(i -> dims.get(0).source().equals(op.inputs().get(i).name() + ".dims"))
                .mapToObj(i -> operands.get(i).type().shape())
                .findFirst()
                .flatMap(shape -> shape);
    }

    private OutputDescription description(int output) {
        return op.outputs().get(Math.min(output, op.outputs().size() - 1));
    }
}
