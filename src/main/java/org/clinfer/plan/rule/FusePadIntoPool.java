package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;

/**
 * Fuses a Pad with zeros into the average pool after it.
 *
 * <pre>
 * a = Pad(x) {CONSTANT, 0};  y = AvgPool(a)
 * y = AvgPool(x) {padding: [1, 1, 1, 1], count_include_pad: true}
 * </pre>
 *
 * <p>Not where anything else uses what was padded, where the pool pads or is global, where its last windows may end outside,
 * where batch or channels are padded, where something is cut, or where the padding is not 0.
 */
final class FusePadIntoPool implements FusionRule {

    @Override
    public Set<String> needs() {
        return Set.of("AvgPool");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part pool = Part.at(position, graph);
        if (!pool.op().equals("AvgPool")
                || !pool.placed().outputTypes().get(0).dtype().isFloating()
                || pool.binding().flag("is_global")
                || !pool.binding().text("ceil_mode").equals("FLOOR")
                || Arrays.stream(pool.binding().integers("pads")).anyMatch(size -> size != 0)) {
            return false;
        }
        Optional<Part> pad =
                Part.making(pool.input(0), "Pad", graph).filter(part -> FusePadIntoConv.isOfZeros(part.placed(), 1));
        if (pad.isEmpty()) {
            return false;
        }
        long[] before = pad.get().binding().integers("before");
        long[] after = pad.get().binding().integers("after");
        List<ExpressionValue> padding = new ArrayList<>();
        for (int axis = 2; axis < before.length; axis++) {
            padding.add(ExpressionValue.of(before[axis]));
            padding.add(ExpressionValue.of(after[axis]));
        }
        Map<String, ExpressionValue> params = new HashMap<>(pool.binding().params());
        params.put("pad_mode", ExpressionValue.of("PADDING"));
        params.put("padding", ExpressionValue.list(padding));
        params.put("count_include_pad", ExpressionValue.of(true));
        Node by = pool.placed().as("AvgPool", List.of(pad.get().input(0)));
        return graph.replace(position, by, params, List.of(pad.get().position()));
    }
}
