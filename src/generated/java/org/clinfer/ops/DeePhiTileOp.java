package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * Repeats the input along each axis (OpLib 3.17).
 *
 * <p>One use of {@code DeePhiTile} while its optional fields are set; made by {@code Ops.deePhiTile}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class DeePhiTileOp extends OpBuilder<DeePhiTileOp> {

    DeePhiTileOp(Ops ops) {
        super(ops, "DeePhiTile", 1);
    }

    @Override
    DeePhiTileOp self() {
        return this;
    }

    /**
     * The input {@code repeats}.
     *
     * <p>Supplies the parameter {@code multiples}, and takes back what was given for it.
     *
     * @param repeats types: any; optional; must be known when the run is planned
     * @return this
     */
    public DeePhiTileOp repeats(Edge repeats) {
        return supplier(1, repeats, "multiples");
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
