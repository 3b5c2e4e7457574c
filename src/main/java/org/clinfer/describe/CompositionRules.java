package org.clinfer.describe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Verifies that composed operators consist of known operators, use these rightly, and never of themselves. */
final class CompositionRules {

    /** Composed operators inside each other at most. */
    private static final int MAX_DEPTH = 32;
    /** Operators that one stands for at most, when everything composed is replaced by its parts. */
    private static final int MAX_PARTS = 10_000;

    /** The depth of an operator's composition, and the number of operators in it that are not composed. */
    private record Size(int depth, int parts) {}

    private static final Size SINGLE = new Size(0, 1);
    /** That of an operator in which a mistake was found. */
    private static final Size WRONG = new Size(0, 0);

    private final OpCatalog catalog;
    private final Map<String, Size> sizes = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();

    private CompositionRules(OpCatalog catalog) {
        this.catalog = catalog;
    }

    /** Adds the first mistake of each composed operator. */
    static void verify(OpCatalog catalog, Mistakes mistakes) {
        CompositionRules rules = new CompositionRules(catalog);
        catalog.operators().forEach(op -> {
            mistakes.collect(() -> rules.visit(op.optype()));
            rules.leave();
        });
    }

    /** Leaves the operators in which there is a mistake, which is not looked for again. */
    private void leave() {
        open.forEach(optype -> sizes.put(optype, WRONG));
        open.clear();
    }

    private Size visit(String optype) {
        Size known = sizes.get(optype);
        if (known != null) {
            return known;
        }
        open.addLast(optype);
        Size largest = SINGLE;
        for (VariantDescription composed : catalog.compositions(optype)) {
            requireDepth(composed, open.size());
            int depth = 0;
            int parts = 0;
            for (PartDescription part : ((VariantDescription.Parts) composed.body()).ops()) {
                Size size = verify(composed, part);
                if (size.equals(WRONG)) {
                    return left(WRONG);
                }
                depth = Math.max(depth, size.depth() + 1);
                parts += size.parts();
                if (parts > MAX_PARTS) {
                    throw failure(composed, "more than " + MAX_PARTS + " operators in all");
                }
            }
            requireDepth(composed, depth);
            largest = new Size(Math.max(largest.depth(), depth), Math.max(largest.parts(), parts));
        }
        return left(largest);
    }

    /** The size of the operator that is looked at, after which the one around it goes on. */
    private Size left(Size size) {
        sizes.put(open.removeLast(), size);
        return size;
    }

    private static void requireDepth(VariantDescription composed, int depth) {
        if (depth > MAX_DEPTH) {
            throw failure(composed, "more than " + MAX_DEPTH + " composed operators inside each other");
        }
    }

    /** The part's size. */
    private Size verify(VariantDescription composed, PartDescription part) {
        if (part.isConstant()) {
            verifyConstant(composed, part);
            return SINGLE;
        }
        if (open.contains(part.optype())) {
            String ring =
                    open.stream().dropWhile(name -> !name.equals(part.optype())).collect(Collectors.joining(" > "));
            throw failure(composed, part.name() + ": the operator consists of itself: " + ring + " > " + part.optype());
        }
        OpDescription op = catalog.find(part.optype())
                .orElseThrow(() -> failure(composed, part.name() + ": there is no operator '" + part.optype() + "'"));
        for (PartDescription.Tensor input : part.inputs()) {
            if (op.input(input.argument()).isEmpty()) {
                throw failure(
                        composed, part.name() + ": " + part.optype() + " has no input '" + input.argument() + "'");
            }
        }
        for (PartDescription.Tensor output : part.outputs()) {
            if (op.output(output.argument()).isEmpty()) {
                throw failure(
                        composed, part.name() + ": " + part.optype() + " has no output '" + output.argument() + "'");
            }
        }
        for (String param : part.params().keySet()) {
            if (op.param(param).isEmpty()) {
                throw failure(composed, part.name() + ": " + part.optype() + " has no parameter '" + param + "'");
            }
        }
        return visit(part.optype());
    }

    private static void verifyConstant(VariantDescription composed, PartDescription part) {
        boolean right = part.inputs().isEmpty()
                && part.outputs().size() == 1
                && part.params().keySet().equals(Set.copyOf(List.of("dtype", "dims", "data")));
        if (!right) {
            throw failure(composed, part.name() + ": a Const has one output and the params dtype, dims and data");
        }
    }

    private static DescriptionException failure(VariantDescription composed, String reason) {
        return new DescriptionException(composed.source() + ": " + composed.optype() + ": ops: " + reason);
    }
}
