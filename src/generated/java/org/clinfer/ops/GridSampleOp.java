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
        LINEAR("linear"),
        NEAREST("nearest"),
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
        ZEROS("zeros"),
        BORDER("border"),
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
     * <p>A string; default {@code 'linear'}; one of {@code linear}, {@code nearest}, {@code cubic}.
     */
    public GridSampleOp mode(Mode mode) {
        return param("mode", Attribute.of(mode.toString()));
    }

    /**
     * The parameter {@code padding_mode}.
     *
     * <p>A string; default {@code 'zeros'}; one of {@code zeros}, {@code border}, {@code reflection}.
     */
    public GridSampleOp paddingMode(PaddingMode paddingMode) {
        return param("padding_mode", Attribute.of(paddingMode.toString()));
    }

    /**
     * -1 and 1 are the centres of the elements at the ends, not their edges.
     *
     * <p>A bool; default {@code false}.
     */
    public GridSampleOp alignCorners(boolean alignCorners) {
        return param("align_corners", Attribute.of(alignCorners));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code slice(x.dims, 0, 2) + slice(grid.dims, 1, grid.ndim - 1)}.
     */
    public Edge y() {
        return output(0);
    }
}
