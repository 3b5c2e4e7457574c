package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.FamilyQuantization;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;

/**
 * The types to which a network has to be quantized or converted before a device runs most of it: those of its family under
 * which nodes with more than half of the multiply-adds pass that do not for float32.
 */
final class PassingTypes {

    /** The types of a family that is not known to have its own. */
    private static final List<DType> USUAL = List.of(DType.INT8, DType.FLOAT16);

    private final ProfileJudge judge;
    private final Vocabulary vocabulary;
    private final Conversion conversion;
    private final Map<Object, Boolean> passes = new HashMap<>();

    PassingTypes(ProfileJudge judge, Vocabulary vocabulary, Conversion conversion) {
        this.judge = judge;
        this.vocabulary = vocabulary;
        this.conversion = conversion;
    }

    /** @param isRefused whether the device refuses a node, or it is not known that it runs it */
    List<DType> of(List<CheckedNode> nodes, Predicate<CheckedNode> isRefused) {
        List<CheckedNode> standing =
                nodes.stream().filter(node -> conversion.part(node).isEmpty()).toList();
        List<CheckedNode> refused = standing.stream()
                .filter(PassingTypes::takesFloat32)
                .filter(isRefused)
                .toList();
        if (refused.isEmpty()) {
            return List.of();
        }
        long products = sum(standing, PassingTypes::products);
        ToLongFunction<CheckedNode> amount = products > 0 ? PassingTypes::products : node -> 1;
        long half = sum(standing, amount) / 2;
        if (sum(refused, amount) <= half) {
            return List.of();
        }
        List<DType> passing = new ArrayList<>();
        for (DType type : types()) {
            RuleScope scope = new RuleScope(
                    vocabulary, Optional.of(type), judge.profile().rules().quantization());
            Predicate<CheckedNode> runs =
                    node -> conversion.standing(node).nodes().stream().allMatch(each -> passes(each, scope, type));
            if (isMore(half, refused, amount, runs)) {
                passing.add(type);
            }
        }
        return passing;
    }

    /** Tells whether the nodes that pass have more than so much; asks none that has nothing, or after it is known. */
    private static boolean isMore(
            long half, List<CheckedNode> nodes, ToLongFunction<CheckedNode> amount, Predicate<CheckedNode> passes) {
        long passed = 0;
        for (CheckedNode node : nodes) {
            long own = amount.applyAsLong(node);
            if (own > 0 && passes.test(node)) {
                passed += own;
            }
            if (passed > half) {
                return true;
            }
        }
        return false;
    }

    private List<DType> types() {
        return judge.profile()
                .rules()
                .quantization()
                .map(FamilyQuantization::types)
                .orElse(USUAL);
    }

    private boolean passes(CheckedNode node, RuleScope scope, DType type) {
        return passes.computeIfAbsent(
                List.of(node.configuration(), type), use -> judge.passes(scope.of(node), List.of()));
    }

    private static boolean takesFloat32(CheckedNode node) {
        return node.inputTypes().stream().anyMatch(type -> type != null && type.dtype() == DType.FLOAT32);
    }

    private static long products(CheckedNode node) {
        return node.multiplyAdds().orElse(0);
    }

    private static long sum(List<CheckedNode> nodes, ToLongFunction<CheckedNode> amount) {
        return nodes.stream().mapToLong(amount).sum();
    }
}
