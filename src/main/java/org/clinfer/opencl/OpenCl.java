package org.clinfer.opencl;

import java.util.List;

/** The OpenCL devices of this machine, reached through one binding. */
public final class OpenCl {

    private final ClApi api;
    private final DeviceDiscovery.Found found;

    private OpenCl(ClApi api, DeviceDiscovery.Found found) {
        this.api = api;
        this.found = found;
    }

    /**
     * Looks for OpenCL through a binding. No library, no driver and no device are answers, not exceptions.
     *
     * <p>The system property {@code clinfer.opencl.library} names another OpenCL library for {@link Binding#LWJGL}.
     */
    public static ClLoad open(Binding binding) {
        BindingLibrary.Outcome library = BindingLibrary.of(binding);
        ClApi api = library.api();
        return api == null ? new ClLoad.Missing(library.failure()) : over(api);
    }

    /** Looks for devices through calls supplied by the caller. */
    public static ClLoad over(ClApi api) {
        DeviceDiscovery.Found found = DeviceDiscovery.find(api);
        if (found.devices().isEmpty()) {
            return new ClLoad.Missing("no OpenCL device: " + String.join("; ", found.problems()));
        }
        return new ClLoad.Available(new OpenCl(api, found));
    }

    /** All devices of all platforms, at least one: GPUs first, then accelerators, CPUs and others. */
    public List<ClDevice> devices() {
        return found.devices();
    }

    /** What could not be used though it is installed, one line each: drivers, platforms, devices. */
    public List<String> problems() {
        return found.problems();
    }

    /**
     * A new context on one device, owned by the caller.
     *
     * @throws ClException if the device refuses
     */
    public ClContext context(ClDevice device) {
        DeviceCalls calls = new DeviceCalls(api, device);
        int[] status = new int[1];
        long context = api.clCreateContext(device.platform(), device.handle(), status);
        calls.check("clCreateContext", status[0]);
        return new ClContext(calls, context);
    }
}
