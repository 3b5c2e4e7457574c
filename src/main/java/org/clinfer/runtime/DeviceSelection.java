package org.clinfer.runtime;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.clinfer.cache.CacheFolder;
import org.clinfer.cache.ProgramCache;
import org.clinfer.device.DeviceFacts;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.kernel.KernelSources;
import org.clinfer.opencl.ClDevice;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.OpenCl;
import org.clinfer.run.DeviceRuntime;

/**
 * The device that an engine uses, opened.
 *
 * @param device empty if the CPU does everything
 * @param note one line: the device, or why there is none
 */
public record DeviceSelection(Optional<DeviceRuntime> device, String note) {

    /**
     * The wish for a device.
     *
     * @param index in the list of all devices, counted from 0
     * @param isRequired whether it is an error if the device is not there; else the CPU does everything then
     * @param exact whether the terms of definitions are added as they are
     * @param tf32 whether factors may be rounded to TF32
     * @param cache for programs
     */
    public record Wish(int index, boolean isRequired, boolean exact, boolean tf32, CacheFolder cache) {}

    /**
     * Looks for the device and opens it.
     *
     * @throws DeviceUnavailableException if one is required that is not there
     * @throws ClException if one is required that fails at once
     */
    public static DeviceSelection of(Wish wish, KernelSources sources, Supplier<ClLoad> loader) {
        ClLoad load = loader.get();
        if (load instanceof ClLoad.Missing missing) {
            if (wish.isRequired) {
                throw new DeviceUnavailableException("no OpenCL device: " + missing.reason());
            }
            return onCpu("no OpenCL device (" + missing.reason() + "); everything runs on the CPU");
        }
        OpenCl openCl = ((ClLoad.Available) load).openCl();
        ClDevice device = device(openCl, wish.index);
        try {
            return new DeviceSelection(Optional.of(opened(openCl, device, wish, sources)), device.name());
        } catch (ClException e) {
            if (wish.isRequired) {
                throw e;
            }
            return onCpu("no usable OpenCL device (" + e.getMessage() + "); everything runs on the CPU");
        }
    }

    /** No device, for a reason. */
    public static DeviceSelection onCpu(String note) {
        return new DeviceSelection(Optional.empty(), note);
    }

    private static ClDevice device(OpenCl openCl, int number) {
        List<ClDevice> devices = openCl.devices();
        if (number >= devices.size()) {
            throw new DeviceUnavailableException(
                    "there is no OpenCL device " + number + "; there are " + devices.size() + ", counted from 0");
        }
        return devices.get(number);
    }

    private static DeviceRuntime opened(OpenCl openCl, ClDevice device, Wish wish, KernelSources sources) {
        DeviceFacts facts = device.facts().withExact(wish.exact).withTf32(wish.tf32);
        return DeviceRuntime.open(
                openCl, device, facts, sources, wish.cache.path().map(ProgramCache::new));
    }
}
