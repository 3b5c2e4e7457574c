package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.clinfer.describe.NameTypes;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.expr.ValueType;
import org.junit.jupiter.api.Test;

/** Limits that a device is asked for, and what expressions call them. */
class DeviceLimitsTest {

    @Test
    void descriptionsMayNameAllOfThem() {
        OpDescription op = OpCatalog.builtIn().find("MatMul").orElseThrow();
        VariantDescription variant = OpCatalog.builtIn().variants("MatMul").get(0);
        ValueType device = Objects.requireNonNull(
                NameTypes.of(op, variant, variant.run().get(0)).get("device"));
        assertThat(device.fields().keySet()).containsAll(DeviceLimits.names());
    }
}
