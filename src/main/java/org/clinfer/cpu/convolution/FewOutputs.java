package org.clinfer.cpu.convolution;

import org.clinfer.cpu.matrix.InnerProducts;

/**
 * A convolution of few outputs, whose weights are rows of a dense matrix.
 *
 * @param filters all of it
 * @param places where each term of each output lies in x, term by term, or -1 in the padding; empty where it is no such
 *     convolution
 */
@SuppressWarnings("ArrayRecordComponent")
record FewOutputs(FilterGroup filters, int[] places) {

    static FewOutputs of(ConvolutionLayout layout, Stencil stencil) {
        FilterGroup filters = FilterGroup.ofChannels(layout, stencil, 0);
        boolean suits = filters.columns() <= InnerProducts.MAX_ROWS && filters.isDense();
        return new FewOutputs(filters, suits ? places(filters) : new int[0]);
    }

    private static int[] places(FilterGroup filters) {
        int depth = filters.depth();
        int[] places = new int[filters.columns() * depth];
        Stencil.Walk walk = filters.stencil().walk(0);
        for (int column = 0; column < filters.columns(); column++) {
            for (int k = 0; k < depth; k++) {
                places[column * depth + k] = filters.place(walk, k);
            }
            walk.skip(1);
        }
        return places;
    }

    boolean suits() {
        return places.length > 0;
    }

    /** The terms of all outputs. */
    float[] gathered(float[] x) {
        float[] terms = new float[places.length];
        for (int i = 0; i < terms.length; i++) {
            terms[i] = places[i] < 0 ? 0 : x[places[i]];
        }
        return terms;
    }
}
