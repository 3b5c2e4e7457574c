package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Words, where they stand and which sentence they are of, each a row of a table: LayerNorm of their sum (ONNX Runtime
 * EmbedLayerNormalization, without its mask).
 *
 * <p>One use of {@code EmbedLayerNorm} while its optional fields are set; made by {@code Ops.embedLayerNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class EmbedLayerNormOp extends OpBuilder<EmbedLayerNormOp> {

    EmbedLayerNormOp(Ops ops) {
        super(ops, "EmbedLayerNorm", 1);
    }

    @Override
    EmbedLayerNormOp self() {
        return this;
    }

    /**
     * The input {@code segment_ids}.
     *
     * @param segmentIds types: int32, int64; optional; {@code segment_ids.dims == ids.dims} (segment_ids must have the
     *     sizes of ids)
     * @return this
     */
    public EmbedLayerNormOp segmentIds(Edge segmentIds) {
        return input(1, segmentIds);
    }

    /**
     * The input {@code segment_embedding}.
     *
     * @param segmentEmbedding types: type of {@code word_embedding}; optional; 2 dimensions; {@code
     *     segment_embedding.dims[1] == word_embedding.dims[1]} (segment_embedding has rows of another length than
     *     word_embedding)
     * @return this
     */
    public EmbedLayerNormOp segmentEmbedding(Edge segmentEmbedding) {
        return input(4, segmentEmbedding);
    }

    /**
     * Left out, 0, 1, 2 ...
     *
     * @param positionIds types: int32, int64; optional; {@code broadcast(position_ids.dims, ids.dims) == ids.dims}
     *     (position_ids do not fit ids)
     * @return this
     */
    public EmbedLayerNormOp positionIds(Edge positionIds) {
        return input(7, positionIds);
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-12}; {@code >= 0}
     * @return this
     */
    public EmbedLayerNormOp epsilon(double epsilon) {
        return param("epsilon", Attribute.of(epsilon));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code word_embedding.dtype}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }

    /**
     * The tensor that is normalised.
     *
     * @return its value; type: {@code word_embedding.dtype}; dims: {@code y_dims}
     */
    public Edge sum() {
        return output(1);
    }
}
