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
        /** The spelling {@code uniform}. */
        UNIFORM("uniform"),
        /** The spelling {@code normal}. */
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
     * <p>Supplies the parameter {@code shape}, and takes back what was given for it.
     *
     * @param shapeTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public RandomOp shapeTensor(Edge shapeTensor) {
        return supplier(0, shapeTensor, "shape");
    }

    /**
     * From 0 to below 1, or normal with mean 0 and deviation 1.
     *
     * @param distribution a string; default {@code 'uniform'}; one of {@code uniform}, {@code normal}
     * @return this
     */
    public RandomOp distribution(Distribution distribution) {
        return param("distribution", Attribute.of(distribution.toString()));
    }

    /**
     * The parameter {@code seed}.
     *
     * @param seed an int; default {@code 0}; {@code >= 0}; {@code <= 4294967295}
     * @return this
     */
    public RandomOp seed(long seed) {
        return param("seed", Attribute.of(seed));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: float64; dims: {@code shape}
     */
    public Edge y() {
        return output(0);
    }
}
