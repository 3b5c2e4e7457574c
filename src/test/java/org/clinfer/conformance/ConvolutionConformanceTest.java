package org.clinfer.conformance;

/** Operators whose own kernels are convolutions, whose programs take longest to build. */
class ConvolutionConformanceTest extends OperatorConformance {

    @Override
    boolean isAbout(String op) {
        return CONVOLUTIONS.contains(op);
    }
}
