package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Subtracts the mean over axes, and divides by the standard deviation over them (ONNX MeanVarianceNormalization,
 * OpenVINO MVN).
 *
 * <p>One use of {@code MeanVarianceNorm} while its optional fields are set; made by {@code Ops.meanVarianceNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class MeanVarianceNormOp extends OpBuilder<MeanVarianceNormOp> {

    /**
     * The values of {@code EpsilonMode} of {@code MeanVarianceNorm}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum EpsilonMode {
        /** The spelling {@code inside_sqrt}. */
        INSIDE_SQRT("inside_sqrt"),
        /** The spelling {@code outside_sqrt}. */
        OUTSIDE_SQRT("outside_sqrt");

        private final String spelling;

        EpsilonMode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    MeanVarianceNormOp(Ops ops) {
        super(ops, "MeanVarianceNorm", 1);
    }

    @Override
    MeanVarianceNormOp self() {
        return this;
    }

    /**
     * False subtracts the mean alone.
     *
     * @param normalizeVariance a bool; default {@code true}
     * @return this
     */
    public MeanVarianceNormOp normalizeVariance(boolean normalizeVariance) {
        return param("normalize_variance", Attribute.of(normalizeVariance));
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-9}; {@code >= 0}
     * @return this
     */
    public MeanVarianceNormOp epsilon(double epsilon) {
        return param("epsilon", Attribute.of(epsilon));
    }

    /**
     * Whether epsilon is added to the variance, or to its square root.
     *
     * @param epsilonMode a string; default {@code 'outside_sqrt'}; one of {@code inside_sqrt}, {@code outside_sqrt}
     * @return this
     */
    public MeanVarianceNormOp epsilonMode(EpsilonMode epsilonMode) {
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
