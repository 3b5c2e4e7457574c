package org.clinfer.opencl.lwjgl;

import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAddressSafe;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.system.MemoryUtil.memGetAddress;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutAddress;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memUTF8;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.clinfer.cache.LibraryFolder;
import org.clinfer.opencl.ClApi;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.opencl.CL10;
import org.lwjgl.opencl.CL11;
import org.lwjgl.opencl.CL12;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.Pointer;

/** {@link ClApi} on LWJGL; small arguments live on its per-thread stack, so a launch leaves no garbage. */
public final class LwjglClApi implements ClApi {

    private final SignalHandlers handlers;

    private LwjglClApi(SignalHandlers handlers) {
        this.handlers = handlers;
    }

    /**
     * Loads the OpenCL library.
     *
     * @param library path or name of the library; empty for the system's own
     * @param folder where LWJGL's own native part is written to
     * @throws LinkageError if the library or LWJGL's own native part cannot be loaded
     */
    public static ClApi load(String library, LibraryFolder folder) {
        return new LwjglClApi(LwjglNatives.load(library, folder));
    }

    @Override
    public int clGetPlatformIDs(int entries, long @Nullable [] platforms, int @Nullable [] count) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long ids = platforms == null ? NULL : pointers(stack, entries);
            long found = stack.ncalloc(4, 1, 4);
            int status = CL10.nclGetPlatformIDs(platforms == null ? 0 : entries, ids, found);
            handlers.restore();
            return listed(status, found, ids, platforms, count);
        }
    }

    @Override
    public int clGetDeviceIDs(
            long platform, long type, int entries, long @Nullable [] devices, int @Nullable [] count) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long ids = devices == null ? NULL : pointers(stack, entries);
            long found = stack.ncalloc(4, 1, 4);
            int status = CL10.nclGetDeviceIDs(platform, type, devices == null ? 0 : entries, ids, found);
            handlers.restore();
            return listed(status, found, ids, devices, count);
        }
    }

    private static int listed(int status, long found, long ids, long @Nullable [] target, int @Nullable [] count) {
        if (count != null) {
            count[0] = memGetInt(found);
        }
        if (target != null) {
            for (int i = 0; i < Math.min(target.length, memGetInt(found)); i++) {
                target[i] = memGetAddress(ids + (long) i * Pointer.POINTER_SIZE);
            }
        }
        return status;
    }

    private static long pointers(MemoryStack stack, int count) {
        return stack.ncalloc(Pointer.POINTER_SIZE, count, Pointer.POINTER_SIZE);
    }

    /** An info query, less its value and size, which all of them end with. */
    private interface Query {
        int ask(long bytes, long value, long size);
    }

    private static int query(Query query, @Nullable ByteBuffer value, long @Nullable [] size) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long needed = pointers(stack, 1);
            int status = query.ask(value == null ? 0 : value.remaining(), memAddressSafe(value), needed);
            if (size != null) {
                size[0] = memGetAddress(needed);
            }
            return status;
        } finally {
            Reference.reachabilityFence(value);
        }
    }

    @Override
    public int clGetPlatformInfo(long platform, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return query((bytes, at, needed) -> CL10.nclGetPlatformInfo(platform, name, bytes, at, needed), value, size);
    }

    @Override
    public int clGetDeviceInfo(long device, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return query((bytes, at, needed) -> CL10.nclGetDeviceInfo(device, name, bytes, at, needed), value, size);
    }

    @Override
    public int clGetProgramInfo(long program, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return query((bytes, at, needed) -> CL10.nclGetProgramInfo(program, name, bytes, at, needed), value, size);
    }

    @Override
    public int clGetProgramBuildInfo(
            long program, long device, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return query(
                (bytes, at, needed) -> CL10.nclGetProgramBuildInfo(program, device, name, bytes, at, needed),
                value,
                size);
    }

    @Override
    public int clGetKernelInfo(long kernel, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return query((bytes, at, needed) -> CL10.nclGetKernelInfo(kernel, name, bytes, at, needed), value, size);
    }

    @Override
    public int clGetKernelWorkGroupInfo(
            long kernel, long device, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return query(
                (bytes, at, needed) -> CL10.nclGetKernelWorkGroupInfo(kernel, device, name, bytes, at, needed),
                value,
                size);
    }

    @Override
    public int clGetEventInfo(long event, int name, @Nullable ByteBuffer value, long @Nullable [] size) {
        return query((bytes, at, needed) -> CL10.nclGetEventInfo(event, name, bytes, at, needed), value, size);
    }

    @Override
    public int clGetEventProfilingInfo(long event, int name, long[] nanos) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long value = stack.ncalloc(8, 1, 8);
            int status = CL10.nclGetEventProfilingInfo(event, name, 8, value, NULL);
            nanos[0] = memGetLong(value);
            return status;
        }
    }

    @Override
    public int clCreateSubDevices(
            long device, int units, int entries, long @Nullable [] devices, int @Nullable [] count) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer made = devices == null ? null : stack.callocPointer(entries);
            int status = CL12.clCreateSubDevices(
                    device, stack.pointers(CL12.CL_DEVICE_PARTITION_EQUALLY, units, 0), made, count);
            for (int i = 0; devices != null && made != null && status == 0 && i < entries; i++) {
                devices[i] = made.get(i);
            }
            return status;
        }
    }

    @Override
    public int clReleaseDevice(long device) {
        return CL12.clReleaseDevice(device);
    }

    @Override
    public long clCreateContext(long platform, long device, int[] status) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            IntBuffer code = stack.callocInt(1);
            long context = CL10.clCreateContext(
                    stack.pointers(CL10.CL_CONTEXT_PLATFORM, platform, 0), device, null, NULL, code);
            status[0] = code.get(0);
            return context;
        }
    }

    @Override
    public int clReleaseContext(long context) {
        return CL10.clReleaseContext(context);
    }

    @Override
    public long clCreateCommandQueue(long context, long device, long properties, int[] status) {
        return CL10.clCreateCommandQueue(context, device, properties, status);
    }

    @Override
    public int clReleaseCommandQueue(long queue) {
        return CL10.clReleaseCommandQueue(queue);
    }

    @Override
    public int clFlush(long queue) {
        return CL10.clFlush(queue);
    }

    @Override
    public int clFinish(long queue) {
        return CL10.clFinish(queue);
    }

    @Override
    public long clCreateBuffer(long context, long flags, long bytes, @Nullable ByteBuffer host, int[] status) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long code = stack.ncalloc(4, 1, 4);
            long buffer = CL10.nclCreateBuffer(context, flags, bytes, memAddressSafe(host), code);
            status[0] = memGetInt(code);
            return buffer;
        } finally {
            Reference.reachabilityFence(host);
        }
    }

    @Override
    public long clCreateSubBuffer(long buffer, long flags, long offset, long bytes, int[] status) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long code = stack.ncalloc(4, 1, 4);
            long region = pointers(stack, 2);
            memPutAddress(region, offset);
            memPutAddress(region + Pointer.POINTER_SIZE, bytes);
            long part = CL11.nclCreateSubBuffer(buffer, flags, CL11.CL_BUFFER_CREATE_TYPE_REGION, region, code);
            status[0] = memGetInt(code);
            return part;
        }
    }

    @Override
    public int clReleaseMemObject(long buffer) {
        return CL10.clReleaseMemObject(buffer);
    }

    @Override
    public long clCreateProgramWithSource(long context, String source, int[] status) {
        ByteBuffer text = memUTF8(source, false);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long code = stack.ncalloc(4, 1, 4);
            long program = CL10.nclCreateProgramWithSource(
                    context, 1, one(stack, memAddress(text)), one(stack, text.remaining()), code);
            status[0] = memGetInt(code);
            return program;
        } finally {
            memFree(text);
        }
    }

    @Override
    public long clCreateProgramWithBinary(
            long context, long device, ByteBuffer binary, int[] binaryStatus, int[] status) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long code = stack.ncalloc(4, 1, 4);
            long fit = stack.ncalloc(4, 1, 4);
            long program = CL10.nclCreateProgramWithBinary(
                    context,
                    1,
                    one(stack, device),
                    one(stack, binary.remaining()),
                    one(stack, memAddress(binary)),
                    fit,
                    code);
            status[0] = memGetInt(code);
            binaryStatus[0] = memGetInt(fit);
            return program;
        } finally {
            Reference.reachabilityFence(binary);
        }
    }

    /** The address of one pointer-sized value on the stack. */
    private static long one(MemoryStack stack, long value) {
        long at = pointers(stack, 1);
        memPutAddress(at, value);
        return at;
    }

    @Override
    public int clBuildProgram(long program, long device, String options) {
        ByteBuffer text = memUTF8(options);
        try {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                return CL10.nclBuildProgram(program, 1, one(stack, device), memAddress(text), NULL, NULL);
            }
        } finally {
            memFree(text);
        }
    }

    @Override
    public int clGetProgramBinary(long program, ByteBuffer binary) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return CL10.nclGetProgramInfo(
                    program, CL10.CL_PROGRAM_BINARIES, Pointer.POINTER_SIZE, one(stack, memAddress(binary)), NULL);
        } finally {
            Reference.reachabilityFence(binary);
        }
    }

    @Override
    public int clReleaseProgram(long program) {
        return CL10.clReleaseProgram(program);
    }

    @Override
    public long clCreateKernel(long program, String entry, int[] status) {
        return CL10.clCreateKernel(program, entry, status);
    }

    @Override
    public int clReleaseKernel(long kernel) {
        return CL10.clReleaseKernel(kernel);
    }

    @Override
    public int clSetKernelArgBuffer(long kernel, int index, long buffer) {
        return CL10.clSetKernelArg1p(kernel, index, buffer);
    }

    @Override
    public int clSetKernelArgBytes(long kernel, int index, ByteBuffer value) {
        return CL10.clSetKernelArg(kernel, index, value);
    }

    @Override
    public int clSetKernelArgInt(long kernel, int index, int value) {
        return CL10.clSetKernelArg1i(kernel, index, value);
    }

    @Override
    public int clSetKernelArgLong(long kernel, int index, long value) {
        return CL10.clSetKernelArg1l(kernel, index, value);
    }

    @Override
    public int clSetKernelArgFloat(long kernel, int index, float value) {
        return CL10.clSetKernelArg1f(kernel, index, value);
    }

    @Override
    public int clSetKernelArgDouble(long kernel, int index, double value) {
        return CL10.clSetKernelArg1d(kernel, index, value);
    }

    @Override
    public int clSetKernelArgLocal(long kernel, int index, long bytes) {
        return CL10.clSetKernelArg(kernel, index, bytes);
    }

    @Override
    public int clEnqueueReadBuffer(
            long queue, long buffer, boolean blocking, long offset, ByteBuffer target, long @Nullable [] event) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long made = event == null ? NULL : pointers(stack, 1);
            int status = CL10.nclEnqueueReadBuffer(
                    queue, buffer, blocking ? 1 : 0, offset, target.remaining(), memAddress(target), 0, NULL, made);
            return enqueued(status, made, event);
        } finally {
            Reference.reachabilityFence(target);
        }
    }

    @Override
    public int clEnqueueWriteBuffer(
            long queue, long buffer, boolean blocking, long offset, ByteBuffer source, long @Nullable [] event) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long made = event == null ? NULL : pointers(stack, 1);
            int status = CL10.nclEnqueueWriteBuffer(
                    queue, buffer, blocking ? 1 : 0, offset, source.remaining(), memAddress(source), 0, NULL, made);
            return enqueued(status, made, event);
        } finally {
            Reference.reachabilityFence(source);
        }
    }

    private static int enqueued(int status, long made, long @Nullable [] event) {
        if (event != null) {
            event[0] = status == CL10.CL_SUCCESS ? memGetAddress(made) : NULL;
        }
        return status;
    }

    @Override
    public int clEnqueueCopyBuffer(
            long queue, long source, long target, long sourceOffset, long targetOffset, long bytes) {
        return CL10.nclEnqueueCopyBuffer(queue, source, target, sourceOffset, targetOffset, bytes, 0, NULL, NULL);
    }

    @Override
    public int clEnqueueFillBuffer(long queue, long buffer, byte pattern, long offset, long bytes) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long value = stack.nmalloc(1);
            memPutByte(value, pattern);
            return CL12.nclEnqueueFillBuffer(queue, buffer, value, 1, offset, bytes, 0, NULL, NULL);
        }
    }

    @Override
    public @Nullable ByteBuffer clEnqueueMapBuffer(
            long queue, long buffer, boolean blocking, long mapFlags, long offset, int bytes, int[] status) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long code = stack.ncalloc(4, 1, 4);
            long at = CL10.nclEnqueueMapBuffer(
                    queue, buffer, blocking ? 1 : 0, mapFlags, offset, bytes, 0, NULL, NULL, code);
            status[0] = memGetInt(code);
            return at == NULL ? null : memByteBuffer(at, bytes);
        }
    }

    @Override
    public int clEnqueueUnmapMemObject(long queue, long buffer, ByteBuffer mapped) {
        return CL10.nclEnqueueUnmapMemObject(queue, buffer, memAddress(mapped), 0, NULL, NULL);
    }

    @Override
    public int clEnqueueMarkerWithWaitList(long queue, long[] event) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long made = pointers(stack, 1);
            return enqueued(CL12.nclEnqueueMarkerWithWaitList(queue, 0, NULL, made), made, event);
        }
    }

    @Override
    public int clEnqueueNDRangeKernel(
            long queue, long kernel, long[] global, long @Nullable [] local, long @Nullable [] event) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long made = event == null ? NULL : pointers(stack, 1);
            long sizes = sizes(stack, global);
            long groups = local == null ? NULL : sizes(stack, local);
            int status = CL10.nclEnqueueNDRangeKernel(queue, kernel, global.length, NULL, sizes, groups, 0, NULL, made);
            return enqueued(status, made, event);
        }
    }

    private static long sizes(MemoryStack stack, long[] sizes) {
        long at = pointers(stack, sizes.length);
        for (int i = 0; i < sizes.length; i++) {
            memPutAddress(at + (long) i * Pointer.POINTER_SIZE, sizes[i]);
        }
        return at;
    }

    @Override
    public int clWaitForEvents(long event) {
        return CL10.clWaitForEvents(event);
    }

    @Override
    public int clReleaseEvent(long event) {
        return CL10.clReleaseEvent(event);
    }
}
