package org.clinfer.opencl;

import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The compute units of a device as devices of their own, made when the first is asked for. Thread-safe. */
final class DeviceUnits {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceUnits.class);

    private final DeviceCalls calls;
    private long[] handles = {};
    private boolean made;

    DeviceUnits(DeviceCalls calls) {
        this.calls = calls;
    }

    /** The handle of a unit, or of the whole device where that is not divided. */
    synchronized long handle(int unit) {
        if (!made) {
            made = true;
            try {
                handles = divided();
            } catch (ClException e) {
                LOG.debug("{} is not divided: {}", calls.device().name(), e.getMessage());
            }
        }
        return unit < handles.length ? handles[unit] : calls.device().handle();
    }

    private long[] divided() {
        long device = calls.device().handle();
        int[] count = new int[1];
        calls.check("clCreateSubDevices", calls.api().clCreateSubDevices(device, 1, 0, null, count));
        long[] units = new long[count[0]];
        calls.check("clCreateSubDevices", calls.api().clCreateSubDevices(device, 1, units.length, units, null));
        return units;
    }

    /** Gives the units back; nothing uses them any more. */
    synchronized void close() {
        Arrays.stream(handles).forEach(calls.api()::clReleaseDevice);
        handles = new long[0];
        made = true;
    }
}
