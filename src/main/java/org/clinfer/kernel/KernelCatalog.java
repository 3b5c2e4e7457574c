package org.clinfer.kernel;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;

/** All kernel variants, per operator in the order in which they are tried; the reference is last. */
public final class KernelCatalog {

    private final OpCatalog operators;
    private final KernelSources sources;
    private final DeviceValues devices = new DeviceValues();
    private final Map<String, List<KernelVariant>> variants = new ConcurrentHashMap<>();

    private KernelCatalog(OpCatalog operators, KernelSources sources) {
        this.operators = operators;
        this.sources = sources;
    }

    /** The variants which the descriptions of {@code operators} name. */
    public static KernelCatalog of(OpCatalog operators, KernelSources sources) {
        return new KernelCatalog(operators, sources);
    }

    /**
     * What does not fit together in descriptions and kernel files: kernels that are not there, parameters that get nothing, or
     * what is not of their type. Each names the file of the description. The built-in ones are left out.
     */
    public List<String> mistakes() {
        Set<String> mistakes = new LinkedHashSet<>();
        OpCatalog builtIn = OpCatalog.builtIn();
        for (OpDescription op : operators.operators()) {
            List<VariantDescription> known = builtIn.variants(op.optype());
            for (VariantDescription variant : operators.variants(op.optype())) {
                if (!known.contains(variant)) {
                    String where = variant.source() + ": " + variant.optype() + ": ";
                    new KernelVariant(op, variant, sources, devices)
                            .mistakes().stream()
                                    .map(reason -> reason.startsWith(variant.source()) ? reason : where + reason)
                                    .forEach(mistakes::add);
                }
            }
        }
        return List.copyOf(mistakes);
    }

    /** The variants of an operator; empty if no device can run it. */
    public List<KernelVariant> variants(String optype) {
        return variants.computeIfAbsent(optype, this::described);
    }

    private List<KernelVariant> described(String optype) {
        List<KernelVariant> ordered = new ArrayList<>();
        operators
                .find(optype)
                .ifPresent(op -> operators
                        .variants(optype)
                        .forEach(variant -> ordered.add(new KernelVariant(op, variant, sources, devices))));
        return List.copyOf(ordered);
    }

    public KernelSources sources() {
        return sources;
    }
}
