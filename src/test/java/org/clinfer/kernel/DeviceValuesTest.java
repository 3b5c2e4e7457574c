package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.NameTypes;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.GpuFigures;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.ValueType;
import org.junit.jupiter.api.Test;

/** What descriptions see of a device beside its limits. */
class DeviceValuesTest {

    private static final GpuFigures FIGURES =
            new GpuFigures(6, 1e9, 128, 1792, 131072, 114688, 128, 128, 6e10, 3e-7, 1e-5);

    private static DeviceFacts gpu(Map<String, Long> limits) {
        return new DeviceFacts("some", "one", "1", "none", "3.0", DeviceFacts.Kind.GPU, Set.of(), limits);
    }

    private static Optional<ExpressionValue> field(DeviceFacts facts, String name) {
        ExpressionValue.Fields fields = (ExpressionValue.Fields) new DeviceValues().of(facts);
        return Optional.ofNullable(fields.fields().get(name));
    }

    /** A name that is none of these is refused when a description is loaded. */
    @Test
    void allFieldsAreKnownWhenDescriptionsAreRead() {
        OpDescription op = OpCatalog.builtIn().find("MatMul").orElseThrow();
        VariantDescription variant = OpCatalog.builtIn().variants("MatMul").get(0);
        ValueType device = Objects.requireNonNull(
                NameTypes.of(op, variant, variant.run().get(0)).get("device"));
        Map<String, Long> limits = Map.of("max_compute_units", 1L, "max_work_item_size_2", 64L);
        ExpressionValue.Fields fields = (ExpressionValue.Fields) new DeviceValues().of(gpu(limits));
        assertThat(device.fields()).containsKeys(fields.fields().keySet().toArray(new String[0]));
    }

    @Test
    void unitsAreThoseThatRunWorkGroups() {
        Map<String, Long> intel =
                Map.of("max_compute_units", 512L, "num_slices_intel", 8L, "num_sub_slices_per_slice_intel", 4L);
        assertThat(field(gpu(intel), "group_units")).hasValue(ExpressionValue.of(32));
        assertThat(field(gpu(Map.of("max_compute_units", 48L)), "group_units")).hasValue(ExpressionValue.of(48));
        assertThat(field(gpu(intel).withFigures(FIGURES), "group_units")).hasValue(ExpressionValue.of(6));
    }

    @Test
    void costsAreThoseOfTheFiguresWhereThereAreAny() {
        ExpressionValue any = field(gpu(Map.of()), "costs").orElseThrow();
        ExpressionValue known =
                field(gpu(Map.of()).withFigures(FIGURES), "costs").orElseThrow();
        assertThat(((ExpressionValue.Fields) any).fields()).containsEntry("byte_operations", ExpressionValue.of(12));
        assertThat(((ExpressionValue.Fields) known).fields()).containsEntry("byte_operations", ExpressionValue.of(26));
    }
}
