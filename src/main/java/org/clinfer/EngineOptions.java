package org.clinfer;

import org.clinfer.opencl.Binding;

/**
 * How an engine is opened.
 *
 * @param device which device to use
 * @param binding the Java library through which OpenCL is called
 * @param threads threads for CPU operators, at least 1
 */
public record EngineOptions(DeviceChoice device, Binding binding, int threads) {

    public EngineOptions {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be >= 1, but is " + threads);
        }
    }

    /** Any device, LWJGL, a thread per processor. */
    public static EngineOptions defaults() {
        return new EngineOptions(
                new DeviceChoice.Auto(), Binding.LWJGL, Runtime.getRuntime().availableProcessors());
    }

    public EngineOptions withDevice(DeviceChoice choice) {
        return new EngineOptions(choice, binding, threads);
    }

    public EngineOptions withBinding(Binding other) {
        return new EngineOptions(device, other, threads);
    }

    public EngineOptions withThreads(int count) {
        return new EngineOptions(device, binding, count);
    }
}
