package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;

/** A program built for one device, owned by whoever made it. */
public final class ClProgram implements AutoCloseable {

    private final DeviceCalls calls;
    private final OwnedHandle program;
    private final String label;

    ClProgram(DeviceCalls calls, long handle, String label) {
        this.calls = calls;
        this.label = label;
        this.program = new OwnedHandle("program " + label, handle, calls.api()::clReleaseProgram);
    }

    /** The file name or label that it was made with. */
    public String label() {
        return label;
    }

    /**
     * The program's binary, empty where the driver gives none. Some drivers compile a kernel at its first launch: ask
     * after that to have everything.
     */
    public byte[] binary() {
        long handle = program.use();
        InfoQuery question =
                (value, size) -> calls.api().clGetProgramInfo(handle, ClConstants.PROGRAM_BINARY_SIZES, value, size);
        InfoQuery.Answer size = question.answer();
        calls.check("clGetProgramInfo", label, size.status());
        ByteBuffer content = ByteBuffer.allocateDirect(Math.toIntExact(size.number()));
        byte[] binary = new byte[content.capacity()];
        if (binary.length > 0) {
            int status = calls.api().clGetProgramBinary(handle, content);
            calls.check("clGetProgramInfo", label, status);
            content.get(binary);
        }
        return binary;
    }

    /**
     * A kernel of this program, owned by the caller.
     *
     * @param entry the kernel function's name
     * @param argumentNames names for its arguments, in order, by which they will be set
     * @throws IllegalArgumentException if the kernel takes another number of arguments, or a name is there twice
     * @throws ClException if there is no such kernel
     */
    public ClKernel kernel(String entry, List<String> argumentNames) {
        if (new HashSet<>(argumentNames).size() != argumentNames.size()) {
            throw new IllegalArgumentException("kernel " + entry + ": an argument is named twice: " + argumentNames);
        }
        int[] status = new int[1];
        long handle = calls.api().clCreateKernel(program.use(), entry, status);
        calls.check("clCreateKernel", label + ": " + entry, status[0]);
        ClKernel kernel = new ClKernel(calls, handle, entry, argumentNames);
        InfoQuery question =
                (value, size) -> calls.api().clGetKernelInfo(handle, ClConstants.KERNEL_NUM_ARGS, value, size);
        InfoQuery.Answer count;
        try {
            count = question.answer();
        } catch (RuntimeException | Error e) {
            kernel.close();
            throw e;
        }
        if (count.isNumber() && count.number() == argumentNames.size()) {
            return kernel;
        }
        kernel.close();
        calls.check("clGetKernelInfo", entry, count.status());
        throw new IllegalArgumentException("kernel " + entry + " of " + label + " takes " + count.number()
                + " arguments, but " + argumentNames.size() + " are named: " + argumentNames);
    }

    @Override
    public void close() {
        program.close();
    }

    @Override
    public String toString() {
        return program.toString();
    }
}
