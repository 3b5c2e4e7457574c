package org.clinfer.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uses are made up for operators of every kind: they are taken, in all types, with tails and other parameters. */
final class TrialUsesTest {

    private static OpDescription operator(String name) {
        return OpCatalog.builtIn().find(name).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Relu", "Add", "MatMul", "Gemm", "Conv2d", "DepthwiseConv2d", "MaxPool", "AvgPool", "BatchNorm",
                        "Softmax",
                "LayerNorm", "Concat", "Transpose", "Reshape", "Gather", "Slice", "ReduceSum", "Where", "Cast", "Pad"
            })
    void usesAreTaken(String name) {
        TrialUses.Found found = TrialUses.of(operator(name));
        assertThat(found.uses()).as("%s", found.objection()).isNotEmpty().allMatch(TrialUse::isTaken);
    }

    @Test
    void everyTypeIsTriedWithSizesBesideThoseOfGroups() {
        List<TrialUse> uses = TrialUses.of(operator("Relu")).uses();
        Set<DType> types = uses.stream().map(TrialUse::type).collect(Collectors.toSet());
        assertThat(types)
                .contains(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64, DType.INT8, DType.INT64);
        assertThat(uses)
                .extracting(use -> use.inputs().get(0))
                .contains(TensorType.of(DType.FLOAT16, 257), TensorType.of(DType.INT8, 33, 70));
    }

    @Test
    void whatNoUseIsTakenOfSaysWhichRuleIsInTheWay() {
        TrialUses.Found found = TrialUses.of(operator("Const"));
        assertThat(found.uses()).isEmpty();
        assertThat(found.objection()).get().asString().contains("Const is no node");
    }

    @Test
    void dataAreTheSameEachTime() {
        TrialUse use = TrialUses.of(operator("Add")).uses().get(0);
        TrialUse again = TrialUses.of(operator("Add")).uses().get(0);
        assertThat(use.tensors().values()).hasSize(2);
        assertThat(elements(use, "a")).isEqualTo(elements(again, "a")).isNotEqualTo(elements(use, "b"));
    }

    private static float[] elements(TrialUse use, String name) {
        return Objects.requireNonNull(use.tensors().get(name)).toFloatArray();
    }
}
