package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Elements of x at the places that a grid names, from -1 at the first to 1 at the last element of each axis, the last
 * axis first. What lies outside is 0, the border or mirrored. Halfway, the nearest is the even one.
 *
 * <p>One use of {@code GridSample} while its optional fields are set; made by {@code Ops.gridSample}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class GridSampleOp extends OpBuilder<GridSampleOp> {

    /**
     * The values of {@code Mode} of {@code GridSample}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Mode {
        /** The spelling {@code linear}. */
        LINEAR("linear"),
        /** The spelling {@code nearest}. */
        NEAREST("nearest"),
        /** The spelling {@code cubic}. */
        CUBIC("cubic");

        private final String spelling;

        Mode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    /**
     * The values of {@code PaddingMode} of {@code GridSample}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum PaddingMode {
        /** The spelling {@code zeros}. */
        ZEROS("zeros"),
        /** The spelling {@code border}. */
        BORDER("border"),
        /** The spelling {@code reflection}. */
        REFLECTION("reflection");

        private final String spelling;

        PaddingMode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    GridSampleOp(Ops ops) {
        super(ops, "GridSample", 1);
    }

    @Override
    GridSampleOp self() {
        return this;
    }

    /**
     * The parameter {@code mode}.
     *
     * @param mode a string; default {@code 'linear'}; one of {@code linear}, {@code nearest}, {@code cubic}
     * @return this
     */
    public GridSampleOp mode(Mode mode) {
        return param("mode", Attribute.of(mode.toString()));
    }

    /**
     * The parameter {@code padding_mode}.
     *
     * @param paddingMode a string; default {@code 'zeros'}; one of {@code zeros}, {@code border}, {@code reflection}
     * @return this
     */
    public GridSampleOp paddingMode(PaddingMode paddingMode) {
        return param("padding_mode", Attribute.of(paddingMode.toString()));
    }

    /**
     * -1 and 1 are the centres of the elements at the ends, not their edges.
     *
     * @param alignCorners a bool; default {@code false}
     * @return this
     */
    public GridSampleOp alignCorners(boolean alignCorners) {
        return param("align_corners", Attribute.of(alignCorners));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code slice(x.dims, 0, 2) + slice(grid.dims, 1, grid.ndim - 1)}
     */
    public Edge y() {
        return output(0);
    }
}
