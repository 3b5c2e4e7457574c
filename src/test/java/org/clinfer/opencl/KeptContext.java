package org.clinfer.opencl;

import java.util.ArrayList;
import java.util.List;

/**
 * Contexts on PoCL's devices that last as long as the process. With the last context PoCL releases its library of built-in
 * functions, and the next program that it builds waits a second until it is read again: a test that opens a device of its
 * own pays for that.
 */
final class KeptContext {

    private static final List<ClContext> KEPT = new ArrayList<>();

    private KeptContext() {}

    static synchronized void keep(OpenCl openCl) {
        if (KEPT.isEmpty()) {
            openCl.devices().stream()
                    .filter(device -> KnownDrivers.isPocl(device.facts()))
                    .forEach(device -> KEPT.add(openCl.context(device)));
        }
    }
}
