package org.clinfer.opencl;

/** The numbers of the OpenCL headers that this package asks with. */
final class ClConstants {

    static final int PLATFORM_VERSION = 0x0901;
    static final int PLATFORM_NAME = 0x0902;

    static final long DEVICE_TYPE_CPU = 1L << 1;
    static final long DEVICE_TYPE_GPU = 1L << 2;
    static final long DEVICE_TYPE_ACCELERATOR = 1L << 3;
    static final long DEVICE_TYPE_ALL = 0xFFFFFFFFL;

    static final int DEVICE_TYPE = 0x1000;
    static final int DEVICE_MAX_WORK_ITEM_SIZES = 0x1005;
    static final int DEVICE_AVAILABLE = 0x1027;
    static final int DEVICE_NAME = 0x102B;
    static final int DEVICE_VENDOR = 0x102C;
    static final int DRIVER_VERSION = 0x102D;
    static final int DEVICE_PROFILE = 0x102E;
    static final int DEVICE_VERSION = 0x102F;
    static final int DEVICE_EXTENSIONS = 0x1030;

    static final long DEVICE_PARTITION_EQUALLY = 0x1086;

    static final long QUEUE_PROFILING_ENABLE = 1L << 1;

    static final long MEM_READ_WRITE = 1L;
    static final long MEM_WRITE_ONLY = 1L << 1;
    static final long MEM_READ_ONLY = 1L << 2;
    static final long MEM_USE_HOST_PTR = 1L << 3;
    static final long MEM_ALLOC_HOST_PTR = 1L << 4;
    static final long MEM_COPY_HOST_PTR = 1L << 5;

    static final long MAP_READ = 1L;
    static final long MAP_WRITE = 1L << 1;

    static final int PROGRAM_BINARY_SIZES = 0x1165;
    static final int PROGRAM_BUILD_LOG = 0x1183;

    static final int KERNEL_NUM_ARGS = 0x1191;
    static final int KERNEL_WORK_GROUP_SIZE = 0x11B0;
    static final int KERNEL_LOCAL_MEM_SIZE = 0x11B2;
    static final int KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11B3;

    static final int EVENT_COMMAND_EXECUTION_STATUS = 0x11D3;

    static final int PROFILING_COMMAND_QUEUED = 0x1280;
    static final int PROFILING_COMMAND_SUBMIT = 0x1281;
    static final int PROFILING_COMMAND_START = 0x1282;
    static final int PROFILING_COMMAND_END = 0x1283;

    private ClConstants() {}
}
