package org.clinfer.cli.verify;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.BuildFailure;
import org.clinfer.Engine;
import org.clinfer.Placement;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;

/** The kernels that are not Clinfer's own: where one does not compile, that the CPU takes its place is no success. */
public final class UserKernels {

    /** The operators of these variants. */
    private final Map<String, String> operators = new HashMap<>();

    /** @param catalog those of users, and Clinfer's own, which are left out */
    public UserKernels(OpCatalog catalog) {
        List<OpDescription> all = catalog == OpCatalog.builtIn() ? List.of() : catalog.operators();
        for (OpDescription operator : all) {
            catalog.variants(operator.optype()).stream()
                    .filter(variant -> !isBuiltIn(variant))
                    .forEach(variant -> operators.put(variant.optype(), operator.optype()));
        }
    }

    private static boolean isBuiltIn(VariantDescription variant) {
        return OpCatalog.builtIn().variants(variant.inherits()).contains(variant);
    }

    /** The first kernel of the placed operators that did not compile, with file and line; empty if all did. */
    Optional<String> failure(Engine engine, Placement placement) {
        for (BuildFailure failure : engine.buildFailures()) {
            String operator = operators.get(failure.variant());
            if (placement.nodes().stream().anyMatch(node -> node.op().equals(operator))) {
                return Optional.of("kernel variant " + failure.variant() + " does not compile: " + failure.reason());
            }
        }
        return Optional.empty();
    }
}
