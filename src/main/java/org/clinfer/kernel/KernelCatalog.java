package org.clinfer.kernel;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;

/** All kernel variants, per operator in the order in which they are tried; the reference is last. */
public final class KernelCatalog {

    private final Map<String, List<KernelVariant>> variants;
    private final KernelSources sources;

    private KernelCatalog(Map<String, List<KernelVariant>> variants, KernelSources sources) {
        this.variants = Map.copyOf(variants);
        this.sources = sources;
    }

    /** The variants which the descriptions of {@code operators} name. */
    public static KernelCatalog of(OpCatalog operators, KernelSources sources) {
        Map<String, List<KernelVariant>> variants = new LinkedHashMap<>();
        DeviceValues devices = new DeviceValues();
        for (OpDescription op : operators.operators()) {
            List<KernelVariant> ordered = new ArrayList<>();
            for (VariantDescription variant : operators.variants(op.optype())) {
                ordered.add(new KernelVariant(op, variant, sources, devices));
            }
            variants.put(op.optype(), List.copyOf(ordered));
        }
        return new KernelCatalog(variants, sources);
    }

    /**
     * Makes sure that descriptions and kernel files fit together.
     *
     * @param operators whose variants, but for the built-in ones, are to be verified
     * @throws IllegalArgumentException naming the first variant that has no kernel, or another than it describes
     */
    public void verify(OpCatalog operators) {
        OpCatalog builtIn = OpCatalog.builtIn();
        for (OpDescription op : operators.operators()) {
            List<VariantDescription> known = builtIn.variants(op.optype());
            for (VariantDescription variant : operators.variants(op.optype())) {
                if (!known.contains(variant)) {
                    verify(op, variant);
                }
            }
        }
    }

    private void verify(OpDescription op, VariantDescription variant) {
        try {
            new KernelVariant(op, variant, sources, new DeviceValues()).verify();
        } catch (IllegalArgumentException | UncheckedIOException wrong) {
            String reason = String.valueOf(wrong.getMessage());
            String where = variant.source() + ": " + variant.optype() + ": ";
            throw new IllegalArgumentException(reason.startsWith(variant.source()) ? reason : where + reason, wrong);
        }
    }

    /** The variants of an operator; empty if no device can run it. */
    public List<KernelVariant> variants(String optype) {
        return variants.getOrDefault(optype, List.of());
    }

    public KernelSources sources() {
        return sources;
    }
}
