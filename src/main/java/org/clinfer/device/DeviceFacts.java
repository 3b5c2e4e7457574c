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
        CPU,
        GPU,
        ACCELERATOR,
        OTHER
    }

    public DeviceFacts {
        extensions = Set.copyOf(extensions);
        limits = Map.copyOf(limits);
    }

    /** A device on which kernels may transform sums, multiply what is in float32 as it is, and reach no matrix units. */
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

    /** The same device with or without transformed sums. */
    public DeviceFacts withExact(boolean required) {
        return with(choices.withExact(required));
    }

    /** The same device with or without factors that are rounded to TF32. */
    public DeviceFacts withTf32(boolean allowed) {
        return with(choices.withTf32(allowed));
    }

    /** The same device with matrix units that programs reach in this way. */
    public DeviceFacts withMatrixUnits(MatrixUnits units) {
        return with(choices.withMatrixUnits(units));
    }

    /** The same device with what is published of its speed. */
    public DeviceFacts withFigures(GpuFigures known) {
        return with(choices.withFigures(known));
    }

    /** Whether kernels must add the terms of a definition as they are, and not transform them first. */
    public boolean exact() {
        return choices.exact();
    }

    /** Whether kernels may round the factors of float32 products to the 10 bits of TF32. */
    public boolean tf32() {
        return choices.tf32();
    }

    /** How programs reach matrix units. */
    public MatrixUnits matrixUnits() {
        return choices.matrixUnits();
    }

    /** What it does in a second, where that is published; empty where nothing is known beside the limits. */
    public Optional<GpuFigures> figures() {
        return choices.figures();
    }

    /** The limit, or {@code otherwise} where the device does not say. */
    public long limit(String name, long otherwise) {
        return limits.getOrDefault(name, otherwise);
    }

    /**
     * The floats that kernels for processors compute with at a time: 16 where the device says that its vectors have as
     * many (32 registers of them, as AVX-512 has), else 8 (16 registers, as AVX2 has).
     */
    public int registerLanes() {
        return limit("native_vector_width_float", WIDE_LANES) >= WIDE_LANES ? WIDE_LANES : WIDE_LANES / 2;
    }

    public boolean has(String extension) {
        return extensions.contains(extension);
    }
}
