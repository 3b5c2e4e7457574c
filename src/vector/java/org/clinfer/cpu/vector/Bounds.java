package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** Values between two bounds. */
final class Bounds {

    private Bounds() {}

    /**
     * The values where they are between the bounds, else the nearer one; a NaN stays, and a 0 that is a bound has the bound's
     * sign. That is four instructions, where max and min, which have to look for NaN and compare the signs of 0, are ten.
     */
    static FloatVector within(FloatVector values, FloatVector least, FloatVector most) {
        FloatVector raised = values.blend(least, values.compare(VectorOperators.LE, least));
        return raised.blend(most, raised.compare(VectorOperators.GE, most));
    }
}
