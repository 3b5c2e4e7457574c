package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kernel whose arguments are set by name and kept until they are set again. Setting and launching is for one thread at
 * a time; make another kernel of the program for another thread.
 */
public final class ClKernel implements AutoCloseable {

    private final DeviceCalls calls;
    private final OwnedHandle kernel;
    private final String entry;
    private final List<String> argumentNames;
    private final Map<String, Integer> indices = new HashMap<>();
    private final boolean[] set;
    private final @Nullable ClBuffer[] buffers;
    private final int[] versions;
    private int unset;

    ClKernel(DeviceCalls calls, long handle, String entry, List<String> argumentNames) {
        this.calls = calls;
        this.entry = entry;
        this.argumentNames = List.copyOf(argumentNames);
        this.kernel = new OwnedHandle("kernel " + entry, handle, calls.api()::clReleaseKernel);
        for (int i = 0; i < argumentNames.size(); i++) {
            indices.put(argumentNames.get(i), i);
        }
        this.set = new boolean[argumentNames.size()];
        this.buffers = new ClBuffer[argumentNames.size()];
        this.versions = new int[argumentNames.size()];
        this.unset = argumentNames.size();
    }

    public String entry() {
        return entry;
    }

    public List<String> argumentNames() {
        return argumentNames;
    }

    /**
     * A {@code __global} or {@code __constant} pointer; the buffer must stay open until after the last launch. One over
     * host memory may change that memory between launches, and needs some only when it is launched.
     */
    public ClKernel arg(String name, ClBuffer value) {
        int index = index(name);
        if (value instanceof ClHostBuffer && !value.isOpen()) {
            buffers[index] = value;
            versions[index] = value.version();
            return checked(index, 0);
        }
        return set(index, value);
    }

    private ClKernel set(int index, ClBuffer value) {
        versions[index] = value.version();
        checked(index, calls.api().clSetKernelArgBuffer(kernel.use(), index, value.handle()));
        buffers[index] = value;
        return this;
    }

    /** A null pointer instead of a buffer. */
    public ClKernel argNull(String name) {
        int index = index(name);
        buffers[index] = null;
        return checked(index, calls.api().clSetKernelArgBuffer(kernel.use(), index, 0));
    }

    /** A scalar or vector in the kernel's own representation, in direct memory; the remaining bytes are taken. */
    public ClKernel arg(String name, ByteBuffer value) {
        ClQueue.requireDirect(value);
        int index = index(name);
        return checked(index, calls.api().clSetKernelArgBytes(kernel.use(), index, value));
    }

    /** An {@code int} or {@code uint}. */
    public ClKernel arg(String name, int value) {
        int index = index(name);
        return checked(index, calls.api().clSetKernelArgInt(kernel.use(), index, value));
    }

    /** A {@code long} or {@code ulong}. */
    public ClKernel arg(String name, long value) {
        int index = index(name);
        return checked(index, calls.api().clSetKernelArgLong(kernel.use(), index, value));
    }

    public ClKernel arg(String name, float value) {
        int index = index(name);
        return checked(index, calls.api().clSetKernelArgFloat(kernel.use(), index, value));
    }

    public ClKernel arg(String name, double value) {
        int index = index(name);
        return checked(index, calls.api().clSetKernelArgDouble(kernel.use(), index, value));
    }

    /** A {@code __local} pointer to so many bytes per work-group. */
    public ClKernel local(String name, long bytes) {
        int index = index(name);
        return checked(index, calls.api().clSetKernelArgLocal(kernel.use(), index, bytes));
    }

    private int index(String name) {
        Integer index = indices.get(name);
        if (index == null) {
            throw new IllegalArgumentException(
                    "kernel " + entry + " has no argument " + name + "; it has " + argumentNames);
        }
        return index;
    }

    private ClKernel checked(int index, int status) {
        if (status != 0) {
            throw calls.failure("clSetKernelArg(" + entry + ": " + argumentNames.get(index) + ")", status);
        }
        if (!set[index]) {
            set[index] = true;
            unset--;
        }
        return this;
    }

    /** The largest work-group that this kernel runs with on its device. */
    public long maxWorkGroupSize() {
        return workGroupNumber(ClConstants.KERNEL_WORK_GROUP_SIZE);
    }

    /** Work-group sizes that are a multiple of this run best. */
    public long preferredWorkGroupMultiple() {
        return workGroupNumber(ClConstants.KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    }

    /** Local memory per work-group in bytes, with the local arguments set so far. */
    public long localBytes() {
        return workGroupNumber(ClConstants.KERNEL_LOCAL_MEM_SIZE);
    }

    private long workGroupNumber(int name) {
        long handle = kernel.use();
        InfoQuery question = (value, size) ->
                calls.api().clGetKernelWorkGroupInfo(handle, calls.device().handle(), name, value, size);
        InfoQuery.Answer answer = question.answer();
        calls.check("clGetKernelWorkGroupInfo", entry, answer.status());
        return answer.number();
    }

    /**
     * The handle, ready for a launch: every argument set and every buffer open. OpenCL does not keep a kernel's buffers
     * alive by itself, so a closed one must be found here.
     */
    long launchable() {
        long handle = kernel.use();
        if (unset > 0) {
            throw new IllegalStateException("kernel " + entry + ": argument " + firstUnset() + " is not set");
        }
        for (int i = 0; i < buffers.length; i++) {
            ClBuffer buffer = buffers[i];
            if (buffer != null) {
                buffer.handle();
                if (buffer.version() != versions[i]) {
                    set(i, buffer);
                }
            }
        }
        return handle;
    }

    private String firstUnset() {
        int index = 0;
        while (set[index]) {
            index++;
        }
        return argumentNames.get(index);
    }

    @Override
    public void close() {
        kernel.close();
    }

    @Override
    public String toString() {
        return kernel.toString();
    }
}
