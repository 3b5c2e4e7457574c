package org.clinfer.conformance;

/** Operators with windows but {@link ConvolutionConformanceTest}'s. */
class WindowConformanceTest extends OperatorConformance {

    @Override
    boolean isAbout(String op) {
        return WITH_WINDOWS.contains(op) && !CONVOLUTIONS.contains(op);
    }
}
