package org.clinfer.opencl.jocl;

import java.nio.ByteBuffer;
import org.clinfer.cache.LibraryFolder;
import org.clinfer.opencl.ClApi;
import org.jocl.CL;
import org.jocl.NativePointerObject;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_buffer_region;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_context_properties;
import org.jocl.cl_device_id;
import org.jocl.cl_device_partition_property;
import org.jocl.cl_event;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_platform_id;
import org.jocl.cl_program;
import org.jspecify.annotations.Nullable;

/** {@link ClApi} on JOCL, for systems whose C library is too old for LWJGL. */
public final class JoclClApi implements ClApi {

    private final JoclHandles<cl_platform_id> platforms = new JoclHandles<>(CL.CL_INVALID_PLATFORM);
    private final JoclHandles<cl_device_id> devices = new JoclHandles<>(CL.CL_INVALID_DEVICE);
    private final JoclHandles<cl_context> contexts = new JoclHandles<>(CL.CL_INVALID_CONTEXT);
    private final JoclHandles<cl_command_queue> queues = new JoclHandles<>(CL.CL_INVALID_COMMAND_QUEUE);
    private final JoclHandles<cl_mem> buffers = new JoclHandles<>(CL.CL_INVALID_MEM_OBJECT);
    private final JoclHandles<cl_program> programs = new JoclHandles<>(CL.CL_INVALID_PROGRAM);
    private final JoclHandles<cl_kernel> kernels = new JoclHandles<>(CL.CL_INVALID_KERNEL);
    private final JoclHandles<cl_event> events = new JoclHandles<>(CL.CL_INVALID_EVENT);

    private JoclClApi() {}

    /**
     * Loads JOCL and through it an OpenCL library, and switches JOCL's own exceptions off for the process.
     *
     * @param library path or name of the library; empty for the system's own
     * @param folder where JOCL's own native part is written to
     * @throws LinkageError if either cannot be loaded
     */
    public static ClApi load(String library, LibraryFolder folder) {
        JoclNatives.load(library, folder);
        CL.setExceptionsEnabled(false);
        return new JoclClApi();
    }

    @Override
    public int clGetPlatformIDs(int entries, long @Nullable [] ids, int @Nullable [] count) {
        cl_platform_id[] found = ids == null ? null : new cl_platform_id[entries];
        int status = CL.clGetPlatformIDs(found == null ? 0 : entries, found, count);
        return listed(status, platforms, found, ids);
    }

    @Override
    public int clGetDeviceIDs(long platform, long type, int entries, long @Nullable [] ids, int @Nullable [] count) {
        cl_device_id[] found = ids == null ? null : new cl_device_id[entries];
        int status =
                platforms.with(platform, on -> CL.clGetDeviceIDs(on, type, found == null ? 0 : entries, found, count));
        return listed(status, devices, found, ids);
    }

    private static <T extends NativePointerObject> int listed(
            int status, JoclHandles<T> table, @Nullable T @Nullable [] found, long @Nullable [] ids) {
        if (status == CL.CL_SUCCESS && found != null && ids != null) {
            for (int i = 0; i < found.length; i++) {
                ids[i] = table.add(found[i]);
            }
        }
        return status;
    }

    /** Native memory from the buffer's position on; null for null. */
    private static @Nullable Pointer at(@Nullable ByteBuffer buffer) {
        return buffer == null ? null : Pointer.to(buffer.slice());
    }

    private static long bytes(@Nullable ByteBuffer buffer) {
        return buffer == null ? 0 : buffer.remaining();
    }

    @Override
    public int clGetPlatformInfo(long platform, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return platforms.with(platform, on -> CL.clGetPlatformInfo(on, name, bytes(value), at(value), size));
    }

    @Override
    public int clGetDeviceInfo(long device, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return devices.with(device, on -> CL.clGetDeviceInfo(on, name, bytes(value), at(value), size));
    }

    @Override
    public int clGetProgramInfo(long program, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return programs.with(program, on -> CL.clGetProgramInfo(on, name, bytes(value), at(value), size));
    }

    @Override
    public int clGetProgramBuildInfo(
            long program, long device, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return programs.with(
                program, on -> CL.clGetProgramBuildInfo(on, devices.find(device), name, bytes(value), at(value), size));
    }

    @Override
    public int clGetKernelInfo(long kernel, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return kernels.with(kernel, on -> CL.clGetKernelInfo(on, name, bytes(value), at(value), size));
    }

    @Override
    public int clGetKernelWorkGroupInfo(
            long kernel, long device, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return kernels.with(
                kernel,
                on -> CL.clGetKernelWorkGroupInfo(on, devices.find(device), name, bytes(value), at(value), size));
    }

    @Override
    public int clGetEventInfo(long event, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return events.with(event, on -> CL.clGetEventInfo(on, name, bytes(value), at(value), size));
    }

    @Override
    public int clGetEventProfilingInfo(long event, int name, long[] nanos) {
        return events.with(event, on -> CL.clGetEventProfilingInfo(on, name, Sizeof.cl_ulong, Pointer.to(nanos), null));
    }

    @Override
    public int clCreateSubDevices(long device, int units, int entries, long @Nullable [] made, int @Nullable [] count) {
        cl_device_partition_property equally = new cl_device_partition_property();
        equally.addProperty(CL.CL_DEVICE_PARTITION_EQUALLY, units);
        cl_device_id[] found = made == null ? null : new cl_device_id[entries];
        int status = devices.with(device, on -> CL.clCreateSubDevices(on, equally, entries, found, count));
        return listed(status, devices, found, made);
    }

    @Override
    public int clReleaseDevice(long device) {
        return devices.release(device, CL::clReleaseDevice);
    }

    @Override
    public long clCreateContext(long platform, long device, int[] status) {
        cl_platform_id on = platforms.find(platform);
        cl_device_id of = devices.find(device);
        if (on == null || of == null) {
            status[0] = on == null ? platforms.invalid() : devices.invalid();
            return 0;
        }
        cl_context_properties properties = new cl_context_properties();
        properties.addProperty(CL.CL_CONTEXT_PLATFORM, on);
        return contexts.add(CL.clCreateContext(properties, 1, new cl_device_id[] {of}, null, null, status));
    }

    @Override
    public int clReleaseContext(long context) {
        return contexts.release(context, CL::clReleaseContext);
    }

    /** The call that also OpenCL 1.2 drivers have. */
    @Override
    @SuppressWarnings("deprecation")
    public long clCreateCommandQueue(long context, long device, long properties, int[] status) {
        cl_context in = contexts.find(context);
        if (in == null) {
            status[0] = contexts.invalid();
            return 0;
        }
        return queues.add(CL.clCreateCommandQueue(in, devices.find(device), properties, status));
    }

    @Override
    public int clReleaseCommandQueue(long queue) {
        return queues.release(queue, CL::clReleaseCommandQueue);
    }

    @Override
    public int clFlush(long queue) {
        return queues.with(queue, CL::clFlush);
    }

    @Override
    public int clFinish(long queue) {
        return queues.with(queue, CL::clFinish);
    }

    @Override
    public long clCreateBuffer(long context, long flags, long size, @Nullable ByteBuffer host, int[] status) {
        cl_context in = contexts.find(context);
        if (in == null) {
            status[0] = contexts.invalid();
            return 0;
        }
        return buffers.add(CL.clCreateBuffer(in, flags, size, at(host), status));
    }

    @Override
    public long clCreateSubBuffer(long buffer, long flags, long offset, long size, int[] status) {
        cl_mem whole = buffers.find(buffer);
        if (whole == null) {
            status[0] = buffers.invalid();
            return 0;
        }
        cl_buffer_region region = new cl_buffer_region(offset, size);
        return buffers.add(CL.clCreateSubBuffer(whole, flags, CL.CL_BUFFER_CREATE_TYPE_REGION, region, status));
    }

    @Override
    public int clReleaseMemObject(long buffer) {
        return buffers.release(buffer, CL::clReleaseMemObject);
    }

    @Override
    public long clCreateProgramWithSource(long context, String source, int[] status) {
        cl_context in = contexts.find(context);
        if (in == null) {
            status[0] = contexts.invalid();
            return 0;
        }
        return programs.add(CL.clCreateProgramWithSource(in, 1, new String[] {source}, null, status));
    }

    @Override
    public long clCreateProgramWithBinary(
            long context, long device, ByteBuffer binary, int[] binaryStatus, int[] status) {
        cl_context in = contexts.find(context);
        cl_device_id of = devices.find(device);
        if (in == null || of == null) {
            status[0] = in == null ? contexts.invalid() : devices.invalid();
            return 0;
        }
        byte[] content = new byte[binary.remaining()];
        binary.duplicate().get(content);
        return programs.add(CL.clCreateProgramWithBinary(
                in,
                1,
                new cl_device_id[] {of},
                new long[] {content.length},
                new byte[][] {content},
                binaryStatus,
                status));
    }

    @Override
    public int clBuildProgram(long program, long device, String options) {
        cl_device_id of = devices.find(device);
        if (of == null) {
            return devices.invalid();
        }
        return programs.with(program, on -> CL.clBuildProgram(on, 1, new cl_device_id[] {of}, options, null, null));
    }

    @Override
    public int clGetProgramBinary(long program, ByteBuffer binary) {
        Pointer pointers = Pointer.to(Pointer.to(binary.slice()));
        return programs.with(
                program, on -> CL.clGetProgramInfo(on, CL.CL_PROGRAM_BINARIES, Sizeof.POINTER, pointers, null));
    }

    @Override
    public int clReleaseProgram(long program) {
        return programs.release(program, CL::clReleaseProgram);
    }

    @Override
    public long clCreateKernel(long program, String entry, int[] status) {
        cl_program of = programs.find(program);
        if (of == null) {
            status[0] = programs.invalid();
            return 0;
        }
        return kernels.add(CL.clCreateKernel(of, entry, status));
    }

    @Override
    public int clReleaseKernel(long kernel) {
        return kernels.release(kernel, CL::clReleaseKernel);
    }

    @Override
    public int clSetKernelArgBuffer(long kernel, int index, long buffer) {
        if (buffer == 0) {
            return setArg(kernel, index, Sizeof.cl_mem, Pointer.to(new long[] {0}));
        }
        cl_mem value = buffers.find(buffer);
        if (value == null) {
            return buffers.invalid();
        }
        return setArg(kernel, index, Sizeof.cl_mem, Pointer.to(value));
    }

    @Override
    public int clSetKernelArgBytes(long kernel, int index, ByteBuffer value) {
        return setArg(kernel, index, value.remaining(), at(value));
    }

    @Override
    public int clSetKernelArgInt(long kernel, int index, int value) {
        return setArg(kernel, index, Sizeof.cl_int, Pointer.to(new int[] {value}));
    }

    @Override
    public int clSetKernelArgLong(long kernel, int index, long value) {
        return setArg(kernel, index, Sizeof.cl_long, Pointer.to(new long[] {value}));
    }

    @Override
    public int clSetKernelArgFloat(long kernel, int index, float value) {
        return setArg(kernel, index, Sizeof.cl_float, Pointer.to(new float[] {value}));
    }

    @Override
    public int clSetKernelArgDouble(long kernel, int index, double value) {
        return setArg(kernel, index, Sizeof.cl_double, Pointer.to(new double[] {value}));
    }

    @Override
    public int clSetKernelArgLocal(long kernel, int index, long size) {
        return setArg(kernel, index, size, null);
    }

    private int setArg(long kernel, int index, long size, @Nullable Pointer value) {
        return kernels.with(kernel, on -> CL.clSetKernelArg(on, index, size, value));
    }

    @Override
    public int clEnqueueReadBuffer(
            long queue, long buffer, boolean blocking, long offset, ByteBuffer target, long @Nullable [] event) {
        cl_event made = event == null ? null : new cl_event();
        int status = onBuffer(
                queue,
                buffer,
                (on, of) -> CL.clEnqueueReadBuffer(
                        on, of, blocking, offset, target.remaining(), at(target), 0, null, made));
        return enqueued(status, made, event);
    }

    @Override
    public int clEnqueueWriteBuffer(
            long queue, long buffer, boolean blocking, long offset, ByteBuffer source, long @Nullable [] event) {
        cl_event made = event == null ? null : new cl_event();
        int status = onBuffer(
                queue,
                buffer,
                (on, of) -> CL.clEnqueueWriteBuffer(
                        on, of, blocking, offset, source.remaining(), at(source), 0, null, made));
        return enqueued(status, made, event);
    }

    /** A command on a buffer. */
    private interface BufferCommand {
        int enqueue(cl_command_queue queue, cl_mem buffer);
    }

    private int onBuffer(long queue, long buffer, BufferCommand command) {
        cl_mem of = buffers.find(buffer);
        if (of == null) {
            return buffers.invalid();
        }
        return queues.with(queue, on -> command.enqueue(on, of));
    }

    private int enqueued(int status, @Nullable cl_event made, long @Nullable [] event) {
        if (event != null) {
            event[0] = status == CL.CL_SUCCESS ? events.add(made) : 0;
        }
        return status;
    }

    @Override
    public int clEnqueueCopyBuffer(
            long queue, long source, long target, long sourceOffset, long targetOffset, long size) {
        cl_mem to = buffers.find(target);
        if (to == null) {
            return buffers.invalid();
        }
        return onBuffer(
                queue,
                source,
                (on, from) -> CL.clEnqueueCopyBuffer(on, from, to, sourceOffset, targetOffset, size, 0, null, null));
    }

    @Override
    public int clEnqueueFillBuffer(long queue, long buffer, byte pattern, long offset, long size) {
        Pointer value = Pointer.to(new byte[] {pattern});
        return onBuffer(
                queue, buffer, (on, of) -> CL.clEnqueueFillBuffer(on, of, value, 1, offset, size, 0, null, null));
    }

    @Override
    public @Nullable ByteBuffer clEnqueueMapBuffer(
            long queue, long buffer, boolean blocking, long mapFlags, long offset, int size, int[] status) {
        cl_command_queue on = queues.find(queue);
        cl_mem of = buffers.find(buffer);
        if (on == null || of == null) {
            status[0] = on == null ? queues.invalid() : buffers.invalid();
            return null;
        }
        return CL.clEnqueueMapBuffer(on, of, blocking, mapFlags, offset, size, 0, null, null, status);
    }

    @Override
    public int clEnqueueUnmapMemObject(long queue, long buffer, ByteBuffer mapped) {
        return onBuffer(queue, buffer, (on, of) -> CL.clEnqueueUnmapMemObject(on, of, mapped, 0, null, null));
    }

    @Override
    public int clEnqueueMarkerWithWaitList(long queue, long[] event) {
        cl_event made = new cl_event();
        int status = queues.with(queue, on -> CL.clEnqueueMarkerWithWaitList(on, 0, null, made));
        return enqueued(status, made, event);
    }

    @Override
    public int clEnqueueNDRangeKernel(
            long queue, long kernel, long[] global, long @Nullable [] local, long @Nullable [] event) {
        cl_kernel of = kernels.find(kernel);
        if (of == null) {
            return kernels.invalid();
        }
        cl_event made = event == null ? null : new cl_event();
        int status = queues.with(
                queue, on -> CL.clEnqueueNDRangeKernel(on, of, global.length, null, global, local, 0, null, made));
        return enqueued(status, made, event);
    }

    @Override
    public int clWaitForEvents(long event) {
        return events.with(event, on -> CL.clWaitForEvents(1, new cl_event[] {on}));
    }

    @Override
    public int clReleaseEvent(long event) {
        return events.release(event, CL::clReleaseEvent);
    }
}
