package org.clinfer.opencl;

import static java.util.Map.entry;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The numeric limits that a device is asked for, by their name in {@link org.clinfer.device.DeviceFacts}. */
final class DeviceLimits {

    private static final Map<String, Integer> QUERIES = Map.ofEntries(
            entry("vendor_id", 0x1001),
            entry("max_compute_units", 0x1002),
            entry("max_work_item_dimensions", 0x1003),
            entry("max_work_group_size", 0x1004),
            entry("preferred_vector_width_char", 0x1006),
            entry("preferred_vector_width_short", 0x1007),
            entry("preferred_vector_width_int", 0x1008),
            entry("preferred_vector_width_long", 0x1009),
            entry("preferred_vector_width_float", 0x100A),
            entry("preferred_vector_width_double", 0x100B),
            entry("max_clock_frequency", 0x100C),
            entry("address_bits", 0x100D),
            entry("max_read_image_args", 0x100E),
            entry("max_write_image_args", 0x100F),
            entry("max_mem_alloc_size", 0x1010),
            entry("image2d_max_width", 0x1011),
            entry("image2d_max_height", 0x1012),
            entry("image3d_max_width", 0x1013),
            entry("image3d_max_height", 0x1014),
            entry("image3d_max_depth", 0x1015),
            entry("image_support", 0x1016),
            entry("max_parameter_size", 0x1017),
            entry("max_samplers", 0x1018),
            entry("mem_base_addr_align", 0x1019),
            entry("single_fp_config", 0x101B),
            entry("global_mem_cache_type", 0x101C),
            entry("global_mem_cacheline_size", 0x101D),
            entry("global_mem_cache_size", 0x101E),
            entry("global_mem_size", 0x101F),
            entry("max_constant_buffer_size", 0x1020),
            entry("max_constant_args", 0x1021),
            entry("local_mem_type", 0x1022),
            entry("local_mem_size", 0x1023),
            entry("error_correction_support", 0x1024),
            entry("profiling_timer_resolution", 0x1025),
            entry("endian_little", 0x1026),
            entry("compiler_available", 0x1028),
            entry("execution_capabilities", 0x1029),
            entry("queue_properties", 0x102A),
            entry("double_fp_config", 0x1032),
            entry("half_fp_config", 0x1033),
            entry("preferred_vector_width_half", 0x1034),
            entry("host_unified_memory", 0x1035),
            entry("native_vector_width_char", 0x1036),
            entry("native_vector_width_short", 0x1037),
            entry("native_vector_width_int", 0x1038),
            entry("native_vector_width_long", 0x1039),
            entry("native_vector_width_float", 0x103A),
            entry("native_vector_width_double", 0x103B),
            entry("native_vector_width_half", 0x103C),
            entry("linker_available", 0x103E),
            entry("image_max_buffer_size", 0x1040),
            entry("image_max_array_size", 0x1041),
            entry("partition_max_sub_devices", 0x1043),
            entry("printf_buffer_size", 0x1049),
            entry("queue_on_device_max_size", 0x1050),
            entry("svm_capabilities", 0x1053),
            entry("max_num_sub_groups", 0x105C),
            entry("preferred_work_group_size_multiple", 0x1067),
            entry("compute_capability_major_nv", 0x4000),
            entry("compute_capability_minor_nv", 0x4001),
            entry("num_slices_intel", 0x4252),
            entry("num_sub_slices_per_slice_intel", 0x4253));

    private DeviceLimits() {}

    /** The names of limits, but for those of dimensions. */
    static Set<String> names() {
        return QUERIES.keySet();
    }

    /** The limits that the device answers; those it does not know (an older OpenCL) are left out. */
    static Map<String, Long> read(ClApi api, long device) {
        Map<String, Long> limits = new HashMap<>();
        QUERIES.forEach((name, query) -> {
            InfoQuery question = (value, size) -> api.clGetDeviceInfo(device, query, value, size);
            InfoQuery.Answer answer = question.answer();
            if (answer.isNumber()) {
                limits.put(name, answer.number());
            }
        });
        limits.putAll(workItemSizes(api, device));
        return limits;
    }

    /** {@code max_work_item_size_0} and so on, one for each dimension. */
    private static Map<String, Long> workItemSizes(ClApi api, long device) {
        InfoQuery question =
                (value, size) -> api.clGetDeviceInfo(device, ClConstants.DEVICE_MAX_WORK_ITEM_SIZES, value, size);
        InfoQuery.Answer answer = question.answer();
        Map<String, Long> sizes = new HashMap<>();
        if (answer.status() == 0) {
            ByteBuffer value = answer.value();
            for (int i = 0; value.remaining() >= Long.BYTES; i++) {
                sizes.put("max_work_item_size_" + i, value.getLong());
            }
        }
        return sizes;
    }
}
