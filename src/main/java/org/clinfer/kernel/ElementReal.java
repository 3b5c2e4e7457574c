package org.clinfer.kernel;

import org.clinfer.describe.LaunchDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.Expr;
import org.clinfer.expr.Scope;
import org.clinfer.expr.Value;
import org.clinfer.tensor.DType;

/**
 * What {@code REAL} of {@code common/element.h} is in one launch: double for float64, and for integers where the device
 * has it; otherwise float.
 */
record ElementReal(String name) {

    private static final String MACRO = "REAL";

    static ElementReal of(LaunchDescription launch, Scope scope, DeviceFacts device) {
        Expr element = launch.build().get("ELEMENT");
        DType dtype = element != null && element.evaluate(scope) instanceof Value.Text label
                ? DType.of(label.value()).orElse(DType.FLOAT32)
                : DType.FLOAT32;
        boolean wide = dtype == DType.FLOAT64 || (!dtype.isFloating() && device.has("cl_khr_fp64"));
        return new ElementReal(wide ? "double" : "float");
    }

    /** The type of a kernel parameter with {@code REAL}, {@code REAL2} … replaced by what they stand for. */
    String resolve(String parameterType) {
        return parameterType.startsWith(MACRO) ? name + parameterType.substring(MACRO.length()) : parameterType;
    }
}
