package org.clinfer.conformance;

import java.util.List;

/**
 * The definition of one operator: naive, one element at a time, in double precision, from its source document and
 * nothing else. The harness rounds the results to the type of the output: floating types to the nearest, integers half
 * to even and saturating, where {@link References} does not wrap them. Where an integer operator is defined otherwise (a
 * division that truncates) the reference does so itself, see {@link Call#isInteger}.
 */
@FunctionalInterface
interface Reference {

    /** The outputs, of the case's type unless {@link Array#as} says otherwise. */
    List<Array> compute(Call call);

    /** A reference with one output. */
    static Reference single(Function function) {
        return call -> List.of(function.compute(call));
    }

    /** Computes the only output. */
    @FunctionalInterface
    interface Function {
        Array compute(Call call);
    }
}
