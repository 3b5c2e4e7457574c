package org.clinfer.kernel;

import org.clinfer.describe.LaunchDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;

/**
 * The type names of {@code kernels-cl/common/element.h} in one launch, for scalars that are declared with them.
 *
 * @param element the data type given to the kernel as {@code ELEMENT}
 * @param narrowSum whether {@code NARROW_SUM} is 1
 * @param hasDouble whether the device has cl_khr_fp64
 */
record KernelElementTypes(String element, boolean narrowSum, boolean hasDouble) {

    private static final String WIDE = "WIDE";
    private static final String REAL = "REAL";

    static KernelElementTypes of(LaunchDescription launch, Scope scope, DeviceFacts device) {
        Expr element = launch.build().get("ELEMENT");
        Expr narrow = launch.build().get("NARROW_SUM");
        String label = element != null && element.evaluate(scope) instanceof ExpressionValue.Text text
                ? text.value()
                : "float32";
        ExpressionValue sum = narrow == null ? ExpressionValue.of(0) : narrow.evaluate(scope);
        boolean narrowSum = sum.equals(ExpressionValue.of(1)) || sum.equals(ExpressionValue.of(true));
        return new KernelElementTypes(label, narrowSum, device.has("cl_khr_fp64"));
    }

    /** The OpenCL type of a parameter with {@code WIDE}, {@code REAL}, {@code REAL2} … replaced by what they stand for. */
    String resolve(String type) {
        if (type.startsWith(WIDE)) {
            return wide() + type.substring(WIDE.length());
        }
        return type.startsWith(REAL) ? real() + type.substring(REAL.length()) : type;
    }

    /** {@return whether a parameter of this type is a real coefficient of integers that is rounded to float} */
    boolean isCoefficientInFloat(String type) {
        return type.equals(REAL) && isInteger() && !hasDouble;
    }

    private String real() {
        return isInteger() ? (hasDouble ? "double" : "float") : wide();
    }

    private String wide() {
        if (element.equals("uint64")) {
            return "ulong";
        }
        if (isInteger()) {
            return element.endsWith("int8") && narrowSum ? "int" : "long";
        }
        return element.equals("float64") ? "double" : "float";
    }

    private boolean isInteger() {
        return element.startsWith("int") || element.startsWith("uint") || element.equals("bool");
    }
}
