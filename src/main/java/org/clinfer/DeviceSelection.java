package org.clinfer;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
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
 * The device that an engine's options lead to, opened.
 *
 * @param device empty if the CPU does everything
 * @param note one line: the device, or why there is none
 */
record DeviceSelection(Optional<DeviceRuntime> device, String note) {

    /**
     * Looks for the device and opens it.
     *
     * @param loader finds OpenCL; not called if the options want the CPU alone
     * @throws DeviceUnavailableException if the options ask for a device that is not there
     * @throws ClException if they ask for one that fails at once
     */
    static DeviceSelection of(EngineOptions options, KernelSources sources, Supplier<ClLoad> loader) {
        if (options.device() instanceof DeviceChoice.Cpu) {
            return onCpu("everything runs on the CPU, as asked");
        }
        boolean isRequired = !(options.device() instanceof DeviceChoice.Auto);
        ClLoad load = loader.get();
        if (load instanceof ClLoad.Missing missing) {
            if (isRequired) {
                throw new DeviceUnavailableException("no OpenCL device: " + missing.reason());
            }
            return onCpu("no OpenCL device (" + missing.reason() + "); everything runs on the CPU");
        }
        OpenCl openCl = ((ClLoad.Available) load).openCl();
        ClDevice device = device(openCl, options.device());
        try {
            return new DeviceSelection(Optional.of(opened(openCl, device, options, sources)), device.name());
        } catch (ClException e) {
            if (isRequired) {
                throw e;
            }
            return onCpu("no usable OpenCL device (" + e.getMessage() + "); everything runs on the CPU");
        }
    }

    private static DeviceSelection onCpu(String note) {
        return new DeviceSelection(Optional.empty(), note);
    }

    private static ClDevice device(OpenCl openCl, DeviceChoice choice) {
        List<ClDevice> devices = openCl.devices();
        int number = choice instanceof DeviceChoice.Index index ? index.number() : 0;
        if (number >= devices.size()) {
            throw new DeviceUnavailableException(
                    "there is no OpenCL device " + number + "; there are " + devices.size() + ", counted from 0");
        }
        return devices.get(number);
    }

    private static DeviceRuntime opened(OpenCl openCl, ClDevice device, EngineOptions options, KernelSources sources) {
        DeviceFacts facts = device.facts().withExact(options.exact());
        return DeviceRuntime.open(
                openCl, device, facts, sources, options.cache().path().map(ProgramCache::new));
    }
}
