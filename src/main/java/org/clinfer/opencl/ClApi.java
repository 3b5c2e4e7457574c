package org.clinfer.opencl;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The OpenCL calls that Clinfer makes, named as in the specification, with the status returned unchanged.
 *
 * <p>Handles are the native pointers; 0 is never valid. Data is in direct byte buffers, from position to limit; the
 * position is left alone, and the memory stays reachable until the call returns. {@code status}, {@code event} and {@code size} are arrays of one element to be filled; a null
 * {@code event} means that none is made. A create call that fails returns 0. Nothing is retained, so each handle has
 * exactly one release. Implementations are safe for use from several threads, except for the arguments of one kernel.
 */
public interface ClApi {

    int clGetPlatformIDs(int entries, long @Nullable [] platforms, int @Nullable [] count);

    /** Fills {@code value} (null: only the size is asked for) and sets the value's size in bytes. */
    int clGetPlatformInfo(long platform, int name, @Nullable ByteBuffer value, long @Nullable [] size);

    int clGetDeviceIDs(long platform, long type, int entries, long @Nullable [] devices, int @Nullable [] count);

    int clGetDeviceInfo(long device, int name, @Nullable ByteBuffer value, long @Nullable [] size);

    /**
     * Devices of {@code units} compute units each into which a device is divided; without {@code devices} they are only
     * counted.
     */
    int clCreateSubDevices(long device, int units, int entries, long @Nullable [] devices, int @Nullable [] count);

    /** Gives back what {@link #clCreateSubDevices} made. */
    int clReleaseDevice(long device);

    /** A context of one device. */
    long clCreateContext(long platform, long device, int[] status);

    int clReleaseContext(long context);

    /** An in-order queue, with profiling when {@code properties} say so. */
    long clCreateCommandQueue(long context, long device, long properties, int[] status);

    int clReleaseCommandQueue(long queue);

    int clFlush(long queue);

    int clFinish(long queue);

    /**
     * A buffer; {@code host} is what CL_MEM_COPY_HOST_PTR copies from or CL_MEM_USE_HOST_PTR uses, and must then stay
     * reachable as long as the buffer; else null.
     */
    long clCreateBuffer(long context, long flags, long bytes, @Nullable ByteBuffer host, int[] status);

    long clCreateSubBuffer(long buffer, long flags, long offset, long bytes, int[] status);

    int clReleaseMemObject(long buffer);

    long clCreateProgramWithSource(long context, String source, int[] status);

    /** A program of one device's binary; {@code binaryStatus} says whether the binary itself is fit for the device. */
    long clCreateProgramWithBinary(long context, long device, ByteBuffer binary, int[] binaryStatus, int[] status);

    int clBuildProgram(long program, long device, String options);

    int clGetProgramInfo(long program, int name, @Nullable ByteBuffer value, long @Nullable [] size);

    /** CL_PROGRAM_BINARIES of a program with one device; {@code binary} has room for all of it. */
    int clGetProgramBinary(long program, ByteBuffer binary);

    int clGetProgramBuildInfo(long program, long device, int name, @Nullable ByteBuffer value, long @Nullable [] size);

    int clReleaseProgram(long program);

    long clCreateKernel(long program, String entry, int[] status);

    int clGetKernelInfo(long kernel, int name, @Nullable ByteBuffer value, long @Nullable [] size);

    int clGetKernelWorkGroupInfo(
            long kernel, long device, int name, @Nullable ByteBuffer value, long @Nullable [] size);

    int clReleaseKernel(long kernel);

    /** A buffer; 0 is a null pointer. */
    int clSetKernelArgBuffer(long kernel, int index, long buffer);

    /** A scalar or vector in its own representation; direct memory. */
    int clSetKernelArgBytes(long kernel, int index, ByteBuffer value);

    int clSetKernelArgInt(long kernel, int index, int value);

    int clSetKernelArgLong(long kernel, int index, long value);

    int clSetKernelArgFloat(long kernel, int index, float value);

    int clSetKernelArgDouble(long kernel, int index, double value);

    /** Size of an argument in local memory. */
    int clSetKernelArgLocal(long kernel, int index, long bytes);

    /** Non-blocking: {@code target} must stay reachable and untouched until the command is done. */
    int clEnqueueReadBuffer(
            long queue, long buffer, boolean blocking, long offset, ByteBuffer target, long @Nullable [] event);

    /** Non-blocking: {@code source} must stay reachable and untouched until the command is done. */
    int clEnqueueWriteBuffer(
            long queue, long buffer, boolean blocking, long offset, ByteBuffer source, long @Nullable [] event);

    int clEnqueueCopyBuffer(long queue, long source, long target, long sourceOffset, long targetOffset, long bytes);

    int clEnqueueFillBuffer(long queue, long buffer, byte pattern, long offset, long bytes);

    /** Maps a part of the buffer; non-blocking: not to be touched until the command is done. Null if the call fails. */
    @Nullable
    ByteBuffer clEnqueueMapBuffer(
            long queue, long buffer, boolean blocking, long mapFlags, long offset, int bytes, int[] status);

    int clEnqueueUnmapMemObject(long queue, long buffer, ByteBuffer mapped);

    /** A command that is done when all earlier ones are. */
    int clEnqueueMarkerWithWaitList(long queue, long[] event);

    /** One to three dimensions; a null {@code local} leaves the choice to the driver. */
    int clEnqueueNDRangeKernel(
            long queue, long kernel, long[] global, long @Nullable [] local, long @Nullable [] event);

    int clWaitForEvents(long event);

    int clGetEventInfo(long event, int name, @Nullable ByteBuffer value, long @Nullable [] size);

    int clGetEventProfilingInfo(long event, int name, long[] nanos);

    int clReleaseEvent(long event);
}
