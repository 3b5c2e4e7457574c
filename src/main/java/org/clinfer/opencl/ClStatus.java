package org.clinfer.opencl;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The status codes of OpenCL by name, each with what to do about it. */
public enum ClStatus {
    CL_SUCCESS(0, ""),
    CL_DEVICE_NOT_FOUND(-1, "check that the driver sees the device, for example with clinfo"),
    CL_DEVICE_NOT_AVAILABLE(-2, "the device is lost or taken: open a new context, or restart its driver"),
    CL_COMPILER_NOT_AVAILABLE(-3, "this driver has no compiler: supply program binaries or use another device"),
    CL_MEM_OBJECT_ALLOCATION_FAILURE(-4, "use smaller buffers, close unused ones, or compute on the CPU"),
    CL_OUT_OF_RESOURCES(-5, "use less memory or a smaller launch, or compute on the CPU"),
    CL_OUT_OF_HOST_MEMORY(-6, "give the process more memory or close unused handles"),
    CL_PROFILING_INFO_NOT_AVAILABLE(-7, "create the queue with profiling and wait for the event first"),
    CL_MEM_COPY_OVERLAP(-8, "source and destination of a copy must not overlap"),
    CL_IMAGE_FORMAT_MISMATCH(-9, "use the same image format on both sides"),
    CL_IMAGE_FORMAT_NOT_SUPPORTED(-10, "use a buffer instead"),
    CL_BUILD_PROGRAM_FAILURE(-11, "read the build log"),
    CL_MAP_FAILURE(-12, "read and write the buffer instead of mapping it"),
    CL_MISALIGNED_SUB_BUFFER_OFFSET(-13, "align sub-buffers to the device's mem_base_addr_align (given in bits)"),
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST(-14, "an earlier command failed: look for the first failure"),
    CL_COMPILE_PROGRAM_FAILURE(-15, "read the build log"),
    CL_LINKER_NOT_AVAILABLE(-16, "build the program in one step"),
    CL_LINK_PROGRAM_FAILURE(-17, "read the build log"),
    CL_DEVICE_PARTITION_FAILED(-18, "use the whole device"),
    CL_KERNEL_ARG_INFO_NOT_AVAILABLE(-19, "build with -cl-kernel-arg-info"),
    CL_INVALID_VALUE(-30, "an argument is outside what the call accepts"),
    CL_INVALID_DEVICE_TYPE(-31, "ask for another device type"),
    CL_INVALID_PLATFORM(-32, "list the platforms again"),
    CL_INVALID_DEVICE(-33, "list the devices again"),
    CL_INVALID_CONTEXT(-34, "open a new context"),
    CL_INVALID_QUEUE_PROPERTIES(-35, "the device does not support this kind of queue"),
    CL_INVALID_COMMAND_QUEUE(-36, "the queue is unusable, often after a device failure: open a new context"),
    CL_INVALID_HOST_PTR(-37, "the host pointer does not fit the buffer's flags"),
    CL_INVALID_MEM_OBJECT(-38, "the buffer is not valid in this context"),
    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR(-39, "correct the image format"),
    CL_INVALID_IMAGE_SIZE(-40, "use a smaller image or a buffer"),
    CL_INVALID_SAMPLER(-41, "correct the sampler"),
    CL_INVALID_BINARY(-42, "the binary is of another device or driver: build from source"),
    CL_INVALID_BUILD_OPTIONS(-43, "correct the build options"),
    CL_INVALID_PROGRAM(-44, "the program is not valid in this context"),
    CL_INVALID_PROGRAM_EXECUTABLE(-45, "build the program for this device first"),
    CL_INVALID_KERNEL_NAME(-46, "the program has no kernel of that name"),
    CL_INVALID_KERNEL_DEFINITION(-47, "the kernel is declared differently on several devices"),
    CL_INVALID_KERNEL(-48, "the kernel is not valid"),
    CL_INVALID_ARG_INDEX(-49, "the kernel has fewer arguments"),
    CL_INVALID_ARG_VALUE(-50, "the value does not fit the argument's address space"),
    CL_INVALID_ARG_SIZE(-51, "the value's type is not the argument's type in the kernel"),
    CL_INVALID_KERNEL_ARGS(-52, "set every argument before the launch"),
    CL_INVALID_WORK_DIMENSION(-53, "launch with one to three dimensions"),
    CL_INVALID_WORK_GROUP_SIZE(-54, "use a smaller local size that divides the global size"),
    CL_INVALID_WORK_ITEM_SIZE(-55, "keep each local size within the device's max_work_item_size"),
    CL_INVALID_GLOBAL_OFFSET(-56, "launch with offset 0"),
    CL_INVALID_EVENT_WAIT_LIST(-57, "wait only for events of this context"),
    CL_INVALID_EVENT(-58, "the event is not valid"),
    CL_INVALID_OPERATION(-59, "the device does not support this call"),
    CL_INVALID_GL_OBJECT(-60, "correct the shared object"),
    CL_INVALID_BUFFER_SIZE(-61, "keep buffers above 0 and within the device's max_mem_alloc_size"),
    CL_INVALID_MIP_LEVEL(-62, "use mip level 0"),
    CL_INVALID_GLOBAL_WORK_SIZE(-63, "keep every global size above 0 and within the device's address width"),
    CL_INVALID_PROPERTY(-64, "the driver does not know a property that was given"),
    CL_INVALID_IMAGE_DESCRIPTOR(-65, "correct the image descriptor"),
    CL_INVALID_COMPILER_OPTIONS(-66, "correct the compile options"),
    CL_INVALID_LINKER_OPTIONS(-67, "correct the link options"),
    CL_INVALID_DEVICE_PARTITION_COUNT(-68, "use the whole device"),
    CL_INVALID_PIPE_SIZE(-69, "use a smaller pipe"),
    CL_INVALID_DEVICE_QUEUE(-70, "use a host queue"),
    CL_INVALID_SPEC_ID(-71, "correct the specialization constant"),
    CL_MAX_SIZE_RESTRICTION_EXCEEDED(-72, "use a smaller size"),
    CL_PLATFORM_NOT_FOUND_KHR(-1001, "install an OpenCL driver (ICD), for example pocl-opencl-icd for CPUs"),
    CL_NV_ILLEGAL_BUFFER_ACCESS(-9999, "a kernel touched memory outside its buffers: open a new context"),
    /** A code that is in no table we know. */
    CL_UNKNOWN_STATUS(Integer.MIN_VALUE, "look the code up in the driver's documentation");

    private static final Map<Integer, ClStatus> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ClStatus::code, Function.identity()));

    private final int code;
    private final String nextStep;

    ClStatus(int code, String nextStep) {
        this.code = code;
        this.nextStep = nextStep;
    }

    /** The status with this code, or {@link #CL_UNKNOWN_STATUS}. */
    public static ClStatus of(int code) {
        return BY_CODE.getOrDefault(code, CL_UNKNOWN_STATUS);
    }

    /** The name with the code, as messages show it: {@code CL_OUT_OF_RESOURCES (-5)}. */
    public static String describe(int code) {
        return of(code) + " (" + code + ")";
    }

    public int code() {
        return code;
    }

    /** The remedy, as half a sentence; empty for success. */
    public String nextStep() {
        return nextStep;
    }

    /** {@return whether the context is most likely gone for good, so that only a new one can go on} */
    public boolean isDeviceLost() {
        return switch (this) {
            case CL_DEVICE_NOT_AVAILABLE, CL_INVALID_CONTEXT, CL_INVALID_COMMAND_QUEUE, CL_NV_ILLEGAL_BUFFER_ACCESS ->
                true;
            default -> false;
        };
    }
}
