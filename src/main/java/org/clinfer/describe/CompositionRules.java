package org.clinfer.describe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Verifies that composed operators consist of known operators, use these rightly, and never of themselves. */
final class CompositionRules {

    /** Composed operators inside each other at most. */
    private static final int MAX_DEPTH = 32;

    private final OpCatalog catalog;
    private final Set<String> sound = new HashSet<>();
    private final Deque<String> open = new ArrayDeque<>();

    private CompositionRules(OpCatalog catalog) {
        this.catalog = catalog;
    }

    static void verify(OpCatalog catalog) {
        CompositionRules rules = new CompositionRules(catalog);
        catalog.operators().forEach(op -> rules.visit(op.optype()));
    }

    private void visit(String optype) {
        if (sound.contains(optype)) {
            return;
        }
        open.addLast(optype);
        for (VariantDescription composed : catalog.compositions(optype)) {
            if (open.size() > MAX_DEPTH) {
                throw failure(composed, "more than " + MAX_DEPTH + " composed operators inside each other");
            }
            for (PartDescription part : ((VariantDescription.Parts) composed.body()).ops()) {
                verify(composed, part);
            }
        }
        open.removeLast();
        sound.add(optype);
    }

    private void verify(VariantDescription composed, PartDescription part) {
        if (part.isConstant()) {
            verifyConstant(composed, part);
            return;
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
        visit(part.optype());
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
