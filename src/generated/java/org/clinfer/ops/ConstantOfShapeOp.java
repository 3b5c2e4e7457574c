package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;

/**
 * A tensor of one value everywhere. The value is converted to the type as Cast does.
 *
 * <p>One use of {@code ConstantOfShape} while its optional fields are set; made by {@code Ops.constantOfShape}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ConstantOfShapeOp extends OpBuilder<ConstantOfShapeOp> {

    ConstantOfShapeOp(Ops ops) {
        super(ops, "ConstantOfShape", 1);
    }

    @Override
    ConstantOfShapeOp self() {
        return this;
    }

    /**
     * The input {@code shape_tensor}.
     *
     * <p>Supplies the parameter {@code shape}, and takes back what was given for it.
     *
     * @param shapeTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public ConstantOfShapeOp shapeTensor(Edge shapeTensor) {
        return supplier(0, shapeTensor, "shape");
    }

    /**
     * The parameter {@code value}.
     *
     * @param value a number; default {@code 0.0}
     * @return this
     */
    public ConstantOfShapeOp value(double value) {
        return param("value", Attribute.of(value));
    }

    /**
     * The parameter {@code dtype}.
     *
     * @param dtype a string; default {@code 'float32'}; one of {@code int8}, {@code int16}, {@code int32}, {@code
     *     int64}, {@code uint8}, {@code uint16}, {@code uint32}, {@code uint64}, {@code float16}, {@code bfloat16},
     *     {@code float32}, {@code float64}, {@code bool}
     * @return this
     */
    public ConstantOfShapeOp dtype(DType dtype) {
        return param("dtype", Attribute.of(dtype.label()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code dtype}; dims: {@code shape}
     */
    public Edge y() {
        return output(0);
    }
}
