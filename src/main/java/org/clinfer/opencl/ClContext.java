package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.opencl.ClBuildException.BuildRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A context on one device: the maker of buffers, queues and programs, each owned by the caller. Safe for use from
 * several threads; close what was made from it first.
 */
public final class ClContext implements AutoCloseable {

    /** Some compilers print on the terminal how many warnings there were, and not what of. */
    private static final String NO_WARNINGS = "-w";

    private static final int BUILD_ATTEMPTS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(ClContext.class);

    private final DeviceCalls calls;
    private final OwnedHandle context;
    private final DeviceUnits units;

    ClContext(DeviceCalls calls, long handle) {
        this.calls = calls;
        this.units = new DeviceUnits(calls);
        this.context = new OwnedHandle("context on " + calls.device().name(), handle, calls.api()::clReleaseContext);
    }

    public ClDevice device() {
        return calls.device();
    }

    /** An uninitialised buffer that kernels read and write. */
    public ClBuffer buffer(long bytes) {
        return buffer(bytes, ClAccess.READ_WRITE);
    }

    /**
     * An uninitialised buffer.
     *
     * @throws IllegalArgumentException if {@code bytes} is not positive
     * @throws ClException if the device has no room for it
     */
    public ClBuffer buffer(long bytes, ClAccess access) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a buffer needs at least 1 byte, not " + bytes);
        }
        int[] status = new int[1];
        long handle;
        synchronized (DeviceCalls.MEMORY) {
            handle = calls.api().clCreateBuffer(context.use(), access.flags(), bytes, null, status);
        }
        calls.check("clCreateBuffer", status[0]);
        return new ClBuffer(calls, handle, bytes, "buffer");
    }

    /** A buffer with a copy of the host's data, from position to limit; the host's memory is free again afterwards. */
    public ClBuffer bufferOf(ByteBuffer data, ClAccess access) {
        ClQueue.requireDirect(data);
        if (!data.hasRemaining()) {
            throw new IllegalArgumentException("a buffer needs at least 1 byte, but the data is empty");
        }
        int[] status = new int[1];
        long flags = access.flags() | ClConstants.MEM_COPY_HOST_PTR;
        long handle;
        synchronized (DeviceCalls.MEMORY) {
            handle = calls.api().clCreateBuffer(context.use(), flags, data.remaining(), data, status);
        }
        calls.check("clCreateBuffer", status[0]);
        return new ClBuffer(calls, handle, data.remaining(), "buffer");
    }

    /** A buffer that uses memory of the host; it has none yet. */
    public ClHostBuffer hostBuffer(long bytes, ClAccess access) {
        return new ClHostBuffer(calls, context, bytes, access);
    }

    /** An in-order queue; with {@code profiling} its events carry times. */
    public ClQueue queue(boolean profiling) {
        return new ClQueue(calls, queueHandle(profiling ? ClConstants.QUEUE_PROFILING_ENABLE : 0), null, null);
    }

    /**
     * An in-order queue whose {@link ClQueue#finish()} asks for a while whether the last command is done before it sleeps,
     * for devices that wake a thread slowly.
     */
    public ClQueue watchedQueue() {
        return new ClQueue(calls, queueHandle(0), new CommandWatch(calls.api()), null);
    }

    /**
     * An in-order queue with profiling that keeps its commands until their times are {@linkplain CommandLog#take() taken}.
     *
     * @param watched as for {@link #watchedQueue}
     */
    public ClQueue loggedQueue(boolean watched) {
        return new ClQueue(
                calls,
                queueHandle(ClConstants.QUEUE_PROFILING_ENABLE),
                watched ? new CommandWatch(calls.api()) : null,
                new CommandLog(calls));
    }

    /**
     * An in-order queue whose commands are all carried out by one compute unit, on drivers that divide devices; by the whole
     * device on others.
     *
     * @param unit its number
     */
    public ClQueue unitQueue(int unit) {
        return new ClQueue(calls, queueHandle(units.handle(unit), 0), null, null);
    }

    private long queueHandle(long properties) {
        return queueHandle(calls.device().handle(), properties);
    }

    private long queueHandle(long device, long properties) {
        int[] status = new int[1];
        long handle = calls.api().clCreateCommandQueue(context.use(), device, properties, status);
        calls.check("clCreateCommandQueue", status[0]);
        return handle;
    }

    /**
     * {@return whether kernels that read a part of a buffer see what others wrote in the buffer itself}, as OpenCL has it;
     * PoCL 3.1 shows them only what was written in other parts.
     */
    public boolean showsWritesInParts() {
        return !KnownDrivers.hidesWritesFromParts(device().facts());
    }

    /**
     * {@return whether commands read and write the host's memory itself where a buffer uses it, so that it holds results
     * as soon as they are done, and they see what the host wrote before, without being mapped: seen by trying, on a device
     * that is the host's own processor}
     */
    public boolean worksInPlace() {
        return device().facts().kind() == DeviceFacts.Kind.CPU && new InPlaceTrial(this).succeeds();
    }

    /**
     * A program compiled for this device.
     *
     * @param label file name or other label that names the program in messages
     * @param options compiler options, may be empty
     * @throws ClBuildException if the compiler refuses it
     */
    public ClProgram program(String label, String source, String options) {
        BuildRequest request = new BuildRequest(label, options);
        if (PoclDeclarations.areFor(device().facts())) {
            try {
                return compiled(PoclDeclarations.declared(source), PoclDeclarations.OPTIONS, request);
            } catch (ClBuildException e) {
                if (BuildError.first(e.log()).isEmpty()) {
                    throw e;
                }
                LOG.debug("{} is built with the driver's own declarations", label, e);
            }
        }
        return compiled(source, "", request);
    }

    private ClProgram compiled(String source, String additional, BuildRequest request) {
        int[] status = new int[1];
        long handle = calls.api().clCreateProgramWithSource(context.use(), source, status);
        calls.check("clCreateProgramWithSource", request.label(), status[0]);
        return built(new ClProgram(calls, handle, request.label()), handle, additional, request);
    }

    /**
     * A program from {@link ClProgram#binary()} of the same device and driver.
     *
     * @throws ClException with {@link ClStatus#CL_INVALID_BINARY}, most often, if the binary does not fit: build from
     *     source then
     */
    public ClProgram programFromBinary(String label, byte[] binary, String options) {
        if (binary.length == 0) {
            throw new IllegalArgumentException("the binary of " + label + " is empty");
        }
        ByteBuffer content =
                ByteBuffer.allocateDirect(binary.length).put(binary).flip();
        int[] fit = new int[1];
        int[] status = new int[1];
        long handle = calls.api()
                .clCreateProgramWithBinary(context.use(), calls.device().handle(), content, fit, status);
        calls.check("clCreateProgramWithBinary", label, status[0]);
        ClProgram program = new ClProgram(calls, handle, label);
        if (fit[0] != 0) {
            program.close();
            calls.check("clCreateProgramWithBinary", label, fit[0]);
        }
        return built(program, handle, "", new BuildRequest(label, options));
    }

    /** Builds the program, or closes it, whatever keeps it from being built. */
    private ClProgram built(ClProgram program, long handle, String additional, BuildRequest request) {
        boolean usable = false;
        try {
            build(handle, additional, request);
            usable = true;
            return program;
        } finally {
            if (!usable) {
                program.close();
            }
        }
    }

    /** Builds the program, again where only a {@linkplain #isDisturbed disturbance} failed it, or nothing that the log names. */
    private void build(long handle, String additional, BuildRequest request) {
        int status = 0;
        String log = "";
        String options = Stream.of(NO_WARNINGS, additional, request.options())
                .filter(part -> !part.isBlank())
                .collect(Collectors.joining(" "));
        for (int attempt = 0; attempt < BUILD_ATTEMPTS; attempt++) {
            BuildWatch.begin(request.label());
            try {
                status = calls.api().clBuildProgram(handle, calls.device().handle(), options);
            } finally {
                BuildWatch.end(request.label());
            }
            if (status == 0) {
                return;
            }
            log = buildLog(handle);
            if (!isDisturbed(log) && !isWithoutReason(log)) {
                break;
            }
        }
        if (isDisturbed(log)) {
            log += "\n(the JVM's signals disturb this driver's compiler: " + SignalChain.remedy() + ")";
        }
        throw new ClBuildException(status, calls.device().name(), request, log);
    }

    /*
     * A driver with LLVM inside (PoCL) puts LLVM's signal handlers before the JVM's while it compiles. The JVM stops its
     * threads by faults on purpose; such a fault then first makes LLVM delete the compiler's temporary files, and the
     * build fails though nothing is wrong with the program. Preloading the JDK's libjsig keeps the handlers in order.
     */
    private static boolean isDisturbed(String log) {
        return log.contains("unable to rename temporary");
    }

    /** {@return whether a log of PoCL's names no error: programs that start at once get in each other's way in its cache} */
    private boolean isWithoutReason(String log) {
        return log.strip().equals("Device " + device().name() + " failed to build the program");
    }

    private String buildLog(long program) {
        InfoQuery question = (value, size) -> calls.api()
                .clGetProgramBuildInfo(program, calls.device().handle(), ClConstants.PROGRAM_BUILD_LOG, value, size);
        InfoQuery.Answer answer = question.answer();
        if (answer.status() != 0) {
            return "(the log cannot be read: " + ClStatus.describe(answer.status()) + ")";
        }
        return answer.text().isEmpty() ? "(the driver gave no log)" : answer.text();
    }

    @Override
    public void close() {
        units.close();
        context.close();
    }

    @Override
    public String toString() {
        return context.toString();
    }
}
