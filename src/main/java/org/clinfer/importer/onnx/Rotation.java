package org.clinfer.importer.onnx;

import org.clinfer.importer.Params;

/**
 * Pairs of the features of every head turned by angles, as steps.
 *
 * @param interleaved whether the features of a pair stand side by side, or half of all features apart
 * @param cosines one for each pair, with axes that broadcast to those of heads
 * @param sines as the cosines
 */
record Rotation(Steps steps, boolean interleaved, String cosines, String sines) {

    /** All features of heads with four axes, the last that of a head's features. */
    String turned(String x) {
        long axis = interleaved ? 4 : 3;
        String pairs =
                steps.add("Reshape", x, interleaved ? steps.vector(0, 0, 0, -1, 2) : steps.vector(0, 0, 0, 2, -1));
        Params along = new Params().put("axis", axis);
        String first = steps.add("Gather", along, pairs, steps.whole(0));
        String second = steps.add("Gather", along, pairs, steps.whole(1));
        String real = steps.add("Sub", steps.add("Mul", cosines, first), steps.add("Mul", sines, second));
        String imaginary = steps.add("Add", steps.add("Mul", sines, first), steps.add("Mul", cosines, second));
        String both = steps.add("Concat", along, steps.unsqueezed(real, axis), steps.unsqueezed(imaginary, axis));
        return steps.add("Reshape", both, steps.shape(x));
    }

    /**
     * The first features of heads, the rest left as they are.
     *
     * @param features how many, a vector of one element
     */
    String turnedFirst(String x, String features) {
        String turned = turned(steps.slice(x, 3, steps.vector(0), features));
        String rest = steps.slice(x, 3, features, steps.vector(Long.MAX_VALUE));
        return steps.add("Concat", new Params().put("axis", 3L), turned, rest);
    }
}
