package org.clinfer.conformance;

/** Operators with windows. */
class WindowConformanceTest extends OperatorConformance {

    @Override
    boolean isAbout(String op) {
        return WITH_WINDOWS.contains(op);
    }
}
