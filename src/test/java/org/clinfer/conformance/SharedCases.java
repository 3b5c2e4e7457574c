package org.clinfer.conformance;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.clinfer.describe.LaunchDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.tensor.DType;

/**
 * The runs that pay for themselves on a device, whose driver takes long to build each kernel. Operators that have their
 * reference kernel in one file, and so differ in the function of an element alone, share the cases of float32 among them;
 * so do the other types of each operator, which differ in how elements are loaded and stored. {@code -Dtypes.share=1} runs
 * all.
 */
final class SharedCases {

    private static final int TYPES = Integer.getInteger("types.share", 8);
    private static final int MOST = Math.min(4, TYPES);
    private static final int OPERATORS_OF_A_SHARE = 3;
    private static final String REFERENCE = "_ref.cl";

    /** The cases of a type that a kernel variant has in any case, before it has a share. */
    private static final int CASES_BEFORE = 6;

    /**
     * What is said of uint8 holds for these types, too, by the same macros and the same Java: the first cases of an
     * operator suffice, and those that name the type.
     */
    private static final Set<DType> LIKE_UINT8 = EnumSet.of(DType.UINT16, DType.UINT32, DType.UINT64);

    private static final int CASES_LIKE_UINT8 = 6;

    /** For the types that are converted and moved alone: their operators treat them all alike. */
    private static final int CASES_OF_CODES = 2;

    private final Map<String, Integer> shares = new HashMap<>();

    SharedCases(OpCatalog catalog) {
        Map<String, Set<String>> byFile = new HashMap<>();
        for (OpDescription op : catalog.operators()) {
            for (VariantDescription variant :
                    catalog.variants(catalog.lowered(op).optype())) {
                for (LaunchDescription launch : variant.launches()) {
                    if (launch.file().endsWith(REFERENCE)) {
                        byFile.computeIfAbsent(launch.file(), file -> new HashSet<>())
                                .add(op.optype());
                    }
                }
            }
        }
        byFile.values().forEach(operators -> {
            int share = Math.max(1, Math.min(MOST, operators.size() / OPERATORS_OF_A_SHARE));
            operators.forEach(op -> shares.merge(op, share, Math::max));
        });
    }

    /** {@return how many cases of an operator run in a type, on any device, beside those that name it} */
    static int casesOf(DType type) {
        return !type.isGeneral() ? CASES_OF_CODES : LIKE_UINT8.contains(type) ? CASES_LIKE_UINT8 : Integer.MAX_VALUE;
    }

    /** {@return whether a device has the run} */
    boolean isChosen(String op, CaseRun run) {
        return run.namesItsType() || isOneOf(run.type() == DType.FLOAT32 ? shares.getOrDefault(op, 1) : TYPES, run);
    }

    /**
     * {@return whether a run is for a variant that processors have no use for, and whose kernels differ in sizes} Operators
     * that share their cases share the types beside float32, too.
     *
     * @param before the cases of the type that the variant has had
     */
    boolean isChosenOfGpus(String op, CaseRun run, int before) {
        boolean isOfType = run.namesItsType()
                || run.type() == DType.FLOAT32
                || Math.floorMod((op + run.type()).hashCode(), shares.getOrDefault(op, 1)) == 0;
        return isOfType && (before < CASES_BEFORE || isOneOf(MOST, run));
    }

    /**
     * {@return whether a variant takes a run} What is placed on the device by default has all that the operator has.
     *
     * @param before the cases of the type that the variant has had
     */
    static boolean isChosenOfVariant(String variant, CaseRun run, int before) {
        return run.namesItsType() || before < CASES_BEFORE || Math.floorMod((run + variant).hashCode(), MOST) == 0;
    }

    /**
     * {@return whether a variant takes a run with other tiles of the same kernels}
     *
     * @param before the cases that the variant has had
     */
    static boolean isChosenOfTiles(CaseRun run, int before) {
        return run.type() == DType.FLOAT32 && (before < CASES_BEFORE || TYPES == 1);
    }

    private static boolean isOneOf(int share, CaseRun run) {
        return Math.floorMod(run.toString().hashCode(), share) == 0;
    }
}
