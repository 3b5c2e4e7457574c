package org.clinfer.describe;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.ValueType;

/** The fields of {@code device} in expressions: a name that is none of them is misspelt. */
final class DeviceFields {

    /** The limits of OpenCL devices, in lower case and without what the constants of OpenCL begin with. */
    private static final List<String> LIMITS = List.of(
            "vendor_id",
            "max_compute_units",
            "max_work_item_dimensions",
            "max_work_group_size",
            "preferred_vector_width_char",
            "preferred_vector_width_short",
            "preferred_vector_width_int",
            "preferred_vector_width_long",
            "preferred_vector_width_float",
            "preferred_vector_width_double",
            "max_clock_frequency",
            "address_bits",
            "max_read_image_args",
            "max_write_image_args",
            "max_mem_alloc_size",
            "image2d_max_width",
            "image2d_max_height",
            "image3d_max_width",
            "image3d_max_height",
            "image3d_max_depth",
            "image_support",
            "max_parameter_size",
            "max_samplers",
            "mem_base_addr_align",
            "single_fp_config",
            "global_mem_cache_type",
            "global_mem_cacheline_size",
            "global_mem_cache_size",
            "global_mem_size",
            "max_constant_buffer_size",
            "max_constant_args",
            "local_mem_type",
            "local_mem_size",
            "error_correction_support",
            "profiling_timer_resolution",
            "endian_little",
            "compiler_available",
            "execution_capabilities",
            "queue_properties",
            "double_fp_config",
            "half_fp_config",
            "preferred_vector_width_half",
            "host_unified_memory",
            "native_vector_width_char",
            "native_vector_width_short",
            "native_vector_width_int",
            "native_vector_width_long",
            "native_vector_width_float",
            "native_vector_width_double",
            "native_vector_width_half",
            "linker_available",
            "image_max_buffer_size",
            "image_max_array_size",
            "partition_max_sub_devices",
            "printf_buffer_size",
            "queue_on_device_max_size",
            "svm_capabilities",
            "max_num_sub_groups",
            "preferred_work_group_size_multiple",
            "compute_capability_major_nv",
            "compute_capability_minor_nv",
            "num_slices_intel",
            "num_sub_slices_per_slice_intel",
            "max_work_item_size_0",
            "max_work_item_size_1",
            "max_work_item_size_2");

    static final ValueType TYPE = ValueType.fields(fields());

    private DeviceFields() {}

    private static Map<String, ValueType> fields() {
        Map<String, ValueType> fields = new HashMap<>();
        LIMITS.forEach(limit -> fields.put(limit, ValueType.INT));
        fields.put("kind", ValueType.STRING);
        fields.put("register_lanes", ValueType.INT);
        fields.put("exact", ValueType.BOOL);
        fields.put("tf32", ValueType.BOOL);
        fields.put("matrix_units", ValueType.STRING);
        fields.put("name", ValueType.STRING);
        fields.put("vendor", ValueType.STRING);
        fields.put("group_units", ValueType.INT);
        fields.put("costs", ValueType.FIELDS);
        fields.put("extensions", ValueType.listOf(ValueType.STRING));
        return fields;
    }
}
