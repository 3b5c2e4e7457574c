package org.clinfer.cli;

import org.clinfer.DeviceProbe;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;
import org.jspecify.annotations.Nullable;

/** The effect of {@code --probe} on reports; none without it. */
final class Probing implements AutoCloseable {

    static final Probing OFF = new Probing(null);

    private final @Nullable DeviceProbe probe;

    private Probing(@Nullable DeviceProbe probe) {
        this.probe = probe;
    }

    /** @throws org.clinfer.errors.DeviceUnavailableException if there is no OpenCL device */
    static Probing on(EngineSelection engines) {
        return new Probing(DeviceProbe.open(engines.deviceOptions()));
    }

    CheckReport of(CheckReport report, Graph graph) {
        return probe == null ? report : probe.verify(report, graph);
    }

    @Override
    public void close() {
        if (probe != null) {
            probe.close();
        }
    }
}
