package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Numbers from 0 to below 1, multiples of 2^-24 that are equally likely. They follow from the seed alone: each run
 * draws the same. On the CPU.
 *
 * <p>One use of {@code RandomUniform} while its optional fields are set; made by {@code Ops.randomUniform}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class RandomUniformOp extends OpBuilder<RandomUniformOp> {

    RandomUniformOp(Ops ops) {
        super(ops, "RandomUniform", 1);
    }

    @Override
    RandomUniformOp self() {
        return this;
    }

    /**
     * The input {@code shape_tensor}.
     *
     * <p>Types: any; optional; must be known when the run is planned.
     *
     * <p>Supplies the parameter {@code shape}, and takes back what was given for it.
     */
    public RandomUniformOp shapeTensor(Edge shapeTensor) {
        return supplier(0, shapeTensor, "shape");
    }

    /**
     * The parameter {@code seed}.
     *
     * <p>An int; default {@code 0}.
     */
    public RandomUniformOp seed(long seed) {
        return param("seed", Attribute.of(seed));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: float32; dims: {@code shape}.
     */
    public Edge y() {
        return output(0);
    }
}
