package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Random numbers of the Mersenne Twister, those that NumPy's RandomState gives for a seed. Each run draws the same. On
 * the CPU.
 *
 * <p>One use of {@code Random} while its optional fields are set; made by {@code Ops.random}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class RandomOp extends OpBuilder<RandomOp> {

    /**
     * The values of {@code Distribution} of {@code Random}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Distribution {
        UNIFORM("uniform"),
        NORMAL("normal");

        private final String spelling;

        Distribution(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    RandomOp(Ops ops) {
        super(ops, "Random", 1);
    }

    @Override
    RandomOp self() {
        return this;
    }

    /**
     * The input {@code shape_tensor}.
     *
     * <p>Types: any; optional; must be known when the run is planned.
     *
     * <p>Supplies the parameter {@code shape}, and takes back what was given for it.
     */
    public RandomOp shapeTensor(Edge shapeTensor) {
        return supplier(0, shapeTensor, "shape");
    }

    /**
     * From 0 to below 1, or normal with mean 0 and deviation 1.
     *
     * <p>A string; default {@code 'uniform'}; one of {@code uniform}, {@code normal}.
     */
    public RandomOp distribution(Distribution distribution) {
        return param("distribution", Attribute.of(distribution.toString()));
    }

    /**
     * The parameter {@code seed}.
     *
     * <p>An int; default {@code 0}; {@code >= 0}; {@code <= 4294967295}.
     */
    public RandomOp seed(long seed) {
        return param("seed", Attribute.of(seed));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: float64; dims: {@code shape}.
     */
    public Edge y() {
        return output(0);
    }
}
