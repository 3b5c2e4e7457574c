package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Divides by the norm over axes: the sum of absolute values, or the square root of the sum of squares (ONNX
 * LpNormalization, OpenVINO NormalizeL2).
 *
 * <p>One use of {@code LpNorm} while its optional fields are set; made by {@code Ops.lpNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class LpNormOp extends OpBuilder<LpNormOp> {

    /**
     * The values of {@code EpsilonMode} of {@code LpNorm}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum EpsilonMode {
        /** The spelling {@code none}. */
        NONE("none"),
        /** The spelling {@code add}. */
        ADD("add"),
        /** The spelling {@code max}. */
        MAX("max"),
        /** The spelling {@code max_norm}. */
        MAX_NORM("max_norm");

        private final String spelling;

        EpsilonMode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    LpNormOp(Ops ops) {
        super(ops, "LpNorm", 1);
    }

    @Override
    LpNormOp self() {
        return this;
    }

    /**
     * The parameter {@code p}.
     *
     * @param p an int; default {@code 2}; {@code p == 1 || p == 2} (only p 1 and 2 are supported)
     * @return this
     */
    public LpNormOp p(long p) {
        return param("p", Attribute.of(p));
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 0.0}; {@code >= 0}
     * @return this
     */
    public LpNormOp epsilon(double epsilon) {
        return param("epsilon", Attribute.of(epsilon));
    }

    /**
     * None: what has norm 0 stays 0; add: epsilon is added to the sum; max: the sum is epsilon at least; max_norm: the
     * norm is.
     *
     * @param epsilonMode a string; default {@code 'none'}; one of {@code none}, {@code add}, {@code max}, {@code
     *     max_norm}
     * @return this
     */
    public LpNormOp epsilonMode(EpsilonMode epsilonMode) {
        return param("epsilon_mode", Attribute.of(epsilonMode.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public Edge y() {
        return output(0);
    }
}
