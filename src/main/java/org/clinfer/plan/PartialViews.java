package org.clinfer.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.TensorType;

/**
 * The tensors of a node that its description lets lie inside another one: the parts of a Split in its input, the inputs
 * of a Concat in its output.
 */
final class PartialViews {

    /**
     * A tensor that may lie in another.
     *
     * @param index which tensor of a variadic argument it is
     * @param position among the inputs or the outputs of the node
     * @param whole position of the other one, among the outputs for an input and among the inputs for an output
     * @param bytes where it begins there
     */
    record View(int index, int position, int whole, long bytes) {}

    private PartialViews() {}

    /** The outputs that may lie in inputs. */
    static List<View> ofOutputs(PlacedNode placed) {
        List<View> views = new ArrayList<>();
        Node node = placed.form();
        List<OutputDescription> declared = placed.description().outputs();
        for (int i = 0; i < node.outputs().size() && !declared.isEmpty(); i++) {
            int argument = Math.min(i, declared.size() - 1);
            String owner = declared.get(argument).owner();
            int whole = inputPosition(placed, owner);
            if (whole >= 0) {
                add(
                        views,
                        placed,
                        new View(i - argument, i, whole, 0),
                        placed.outputTypes().get(i));
            }
        }
        return views;
    }

    /** The inputs that may lie in outputs. */
    static List<View> ofInputs(PlacedNode placed) {
        List<View> views = new ArrayList<>();
        Node node = placed.form();
        List<InputDescription> declared = placed.description().inputs();
        for (int i = 0; i < node.inputs().size() && !declared.isEmpty(); i++) {
            int argument = Math.min(i, declared.size() - 1);
            TensorType type = placed.inputTypes().get(i);
            int whole = outputPosition(placed, declared.get(argument).owner());
            if (whole >= 0 && type != null) {
                add(views, placed, new View(i - argument, i, whole, 0), type);
            }
        }
        return views;
    }

    /** The number of tensors of the node that have an owner. */
    static int owned(PlacedNode placed) {
        List<OutputDescription> outputs = placed.description().outputs();
        List<InputDescription> inputs = placed.description().inputs();
        int owned = 0;
        for (int i = 0; i < placed.outputs().size() && !outputs.isEmpty(); i++) {
            owned += outputs.get(Math.min(i, outputs.size() - 1)).owner().isEmpty() ? 0 : 1;
        }
        for (int i = 0; i < placed.inputs().size() && !inputs.isEmpty(); i++) {
            owned += inputs.get(Math.min(i, inputs.size() - 1)).owner().isEmpty() ? 0 : 1;
        }
        return owned;
    }

    private static int inputPosition(PlacedNode placed, String name) {
        List<String> names = placed.description().inputs().stream()
                .map(InputDescription::name)
                .toList();
        return name.isEmpty() ? -1 : names.indexOf(name);
    }

    private static int outputPosition(PlacedNode placed, String name) {
        List<String> names = placed.description().outputs().stream()
                .map(OutputDescription::name)
                .toList();
        return name.isEmpty() ? -1 : names.indexOf(name);
    }

    private static void add(List<View> views, PlacedNode placed, View view, TensorType type) {
        OptionalLong elements = offset(placed, view.index());
        if (elements.isPresent() && !type.dtype().isPacked() && type.bytes() > 0) {
            long bytes = type.dtype().bytes(elements.getAsLong());
            views.add(new View(view.index(), view.position(), view.whole(), bytes));
        }
    }

    /** The result of {@code calc_offset}, in elements; empty where the tensor cannot lie in its owner. */
    private static OptionalLong offset(PlacedNode placed, int index) {
        if (placed.description().calcOffset().isEmpty()) {
            return OptionalLong.empty();
        }
        Expr expression = placed.description().calcOffset().get();
        ExpressionValue offset = expression.evaluate(placed.binding().scope().with("index", ExpressionValue.of(index)));
        return offset instanceof ExpressionValue.Int elements
                ? OptionalLong.of(elements.value())
                : OptionalLong.empty();
    }
}
