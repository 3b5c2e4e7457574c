package org.clinfer.device;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Facts about a device, for placement. Limits are in the units of the OpenCL query they come from (bytes, work-items).
 *
 * @param name the device's own name
 * @param vendor the vendor's name
 * @param driver driver version
 * @param platform platform name and version
 * @param openclVersion {@code 1.2}, {@code 3.0} …
 * @param kind cpu, gpu, accelerator or other
 * @param extensions names of the supported extensions
 * @param limits numeric limits by their OpenCL name in lower case without the {@code CL_DEVICE_} prefix, for example
 *     {@code max_mem_alloc_size}, {@code global_mem_size}, {@code local_mem_size}, {@code max_work_group_size},
 *     {@code max_compute_units}, {@code mem_base_addr_align} (bits), {@code address_bits}, {@code host_unified_memory}
 * @param choices what kernels are chosen by beside all that
 */
public record DeviceFacts(
        String name,
        String vendor,
        String driver,
        String platform,
        String openclVersion,
        Kind kind,
        Set<String> extensions,
        Map<String, Long> limits,
        KernelChoices choices) {

    private static final int WIDE_LANES = 16;

    /** The device class, which decides which kernel variants are worth trying. */
    public enum Kind {
        /** A processor, by an OpenCL driver for it. */
        CPU,
        /** A graphics processor. */
        GPU,
        /** A device made for computing alone. */
        ACCELERATOR,
        /** Anything else. */
        OTHER
    }

    public DeviceFacts {
        extensions = Set.copyOf(extensions);
        limits = Map.copyOf(limits);
    }

    /**
     * A device on which kernels may transform sums, multiply what is in float32 as it is, and reach no matrix units.
     *
     * @param name as the device says it
     * @param vendor as the device says it
     * @param driver the version of its driver
     * @param platform the name of its OpenCL platform
     * @param openclVersion of the device
     * @param kind the kind of device
     * @param extensions of OpenCL
     * @param limits by the names that {@link #limits} says
     */
    public DeviceFacts(
            String name,
            String vendor,
            String driver,
            String platform,
            String openclVersion,
            Kind kind,
            Set<String> extensions,
            Map<String, Long> limits) {
        this(name, vendor, driver, platform, openclVersion, kind, extensions, limits, KernelChoices.DEFAULTS);
    }

    private DeviceFacts with(KernelChoices other) {
        return new DeviceFacts(name, vendor, driver, platform, openclVersion, kind, extensions, limits, other);
    }

    /**
     * {@return the same device with or without transformed sums}
     *
     * @param required whether sums are added as their definitions have them
     */
    public DeviceFacts withExact(boolean required) {
        return with(choices.withExact(required));
    }

    /**
     * {@return the same device with or without factors that are rounded to TF32}
     *
     * @param allowed whether factors may be rounded
     */
    public DeviceFacts withTf32(boolean allowed) {
        return with(choices.withTf32(allowed));
    }

    /**
     * {@return the same device with matrix units that programs reach in this way}
     *
     * @param units the way
     */
    public DeviceFacts withMatrixUnits(MatrixUnits units) {
        return with(choices.withMatrixUnits(units));
    }

    /**
     * {@return the same device with what is published of its speed}
     *
     * @param known the figures
     */
    public DeviceFacts withFigures(GpuFigures known) {
        return with(choices.withFigures(known));
    }

    /** {@return whether kernels must add the terms of a definition as they are, and not transform them first} */
    public boolean exact() {
        return choices.exact();
    }

    /** {@return whether kernels may round the factors of float32 products to the 10 bits of TF32} */
    public boolean tf32() {
        return choices.tf32();
    }

    /** {@return the way in which programs reach matrix units} */
    public MatrixUnits matrixUnits() {
        return choices.matrixUnits();
    }

    /** {@return what it does in a second, where that is published; empty where nothing is known beside the limits} */
    public Optional<GpuFigures> figures() {
        return choices.figures();
    }

    /**
     * {@return the limit, or {@code otherwise} where the device does not say}
     *
     * @param name of the limit
     * @param otherwise the value where the device does not say
     */
    public long limit(String name, long otherwise) {
        return limits.getOrDefault(name, otherwise);
    }

    /**
     * {@return the floats that kernels for processors compute with at a time: 16 where the device says that its
     * vectors have as many (32 registers of them, as AVX-512 has), else 8 (16 registers, as AVX2 has)}
     */
    public int registerLanes() {
        return limit("native_vector_width_float", WIDE_LANES) >= WIDE_LANES ? WIDE_LANES : WIDE_LANES / 2;
    }

    /**
     * {@return whether the device has an extension of OpenCL}
     *
     * @param extension its name
     */
    public boolean has(String extension) {
        return extensions.contains(extension);
    }
}
