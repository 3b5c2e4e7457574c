package org.clinfer.opencl;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Real OpenCL calls of a driver that is slow, and whose clFinish waits only for commands that were not flushed before:
 * it returns at once where all were. Commands run from when they are flushed, one after the other, on a thread of their own.
 */
public final class EarlyFinishClApi implements InvocationHandler {

    private static final long DELAY_MILLIS = 10;
    private static final int COMPLETE = 0;
    private static final int QUEUED = 3;

    private final ClApi real;
    private final ExecutorService device = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "slow device");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Long, List<Command>> unflushed = new HashMap<>();
    private final Map<Long, Command> events = new HashMap<>();
    private final Map<Long, Map<Integer, Call>> arguments = new HashMap<>();

    /** What was released, until its context is: commands may still need it. */
    private final List<Call> released = new ArrayList<>();

    private long lastEvent = 1L << 32;

    /** A call with what it is given. */
    private record Call(Method method, List<@Nullable Object> with) {}

    /** A queued command: the calls that do it, and when they are done. */
    private record Command(long queue, List<Call> calls, CompletableFuture<Integer> status) {}

    private EarlyFinishClApi(ClApi real) {
        this.real = real;
    }

    /** Calls of such a driver over those of another. */
    public static ClApi over(ClApi real) {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, new EarlyFinishClApi(real));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given) throws Throwable {
        Object[] with = given == null ? new Object[0] : given.clone();
        String name = method.getName();
        Call call = new Call(method, Arrays.asList(with));
        if (name.startsWith("clEnqueue")) {
            return enqueued(name, call);
        }
        if (name.startsWith("clSetKernelArg")) {
            return set(call);
        }
        return switch (name) {
            case "clFlush" -> flushed((Long) with[0]);
            case "clFinish" -> finished((Long) with[0]);
            case "clWaitForEvents" -> waited((Long) with[0]);
            case "clGetEventInfo" -> state((Long) with[0], (ByteBuffer) with[2]);
            case "clGetEventProfilingInfo" -> 0;
            case "clReleaseEvent" -> forgotten((Long) with[0]);
            case "clReleaseCommandQueue" -> {
                flushed((Long) with[0]);
                yield kept(call);
            }
            case "clReleaseMemObject", "clReleaseKernel", "clReleaseProgram" -> kept(call);
            case "clReleaseContext" -> closed(call);
            default -> result(call);
        };
    }

    private @Nullable Object result(Call call) throws Throwable {
        try {
            return call.method().invoke(real, call.with().toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private int status(Call call) throws Throwable {
        return Objects.requireNonNull((Integer) result(call));
    }

    private synchronized int set(Call call) throws Throwable {
        if (call.with().get(2) instanceof ByteBuffer bytes) {
            ByteBuffer copy = ByteBuffer.allocateDirect(bytes.remaining());
            call.with().set(2, copy.put(bytes.duplicate()).flip());
        }
        long kernel = (Long) Objects.requireNonNull(call.with().get(0));
        int index = (Integer) Objects.requireNonNull(call.with().get(1));
        arguments.computeIfAbsent(kernel, key -> new TreeMap<>()).put(index, call);
        return status(call);
    }

    private @Nullable Object enqueued(String name, Call call) throws Throwable {
        Object[] with = call.with().toArray();
        boolean blocking = with.length > 2 && Boolean.TRUE.equals(with[2]);
        List<Call> calls = new ArrayList<>();
        if (name.equals("clEnqueueMapBuffer")) {
            // shown at once: the host's memory is where the device works
            Command before = queue((Long) with[0], calls, null);
            if (blocking) {
                flushed(before.queue());
                before.status().join();
            }
            return result(call);
        }
        long @Nullable [] event = with[with.length - 1] instanceof long[] last && takesEvent(name) ? last : null;
        if (name.equals("clEnqueueNDRangeKernel")) {
            synchronized (this) {
                calls.addAll(arguments.getOrDefault((Long) with[1], Map.of()).values());
            }
            call.with().set(2, ((long[]) with[2]).clone());
        }
        if (takesEvent(name)) {
            call.with().set(with.length - 1, name.equals("clEnqueueMarkerWithWaitList") ? new long[1] : null);
        }
        calls.add(call);
        Command command = queue((Long) with[0], calls, event);
        if (!blocking) {
            return 0;
        }
        flushed(command.queue());
        return command.status().join();
    }

    private static boolean takesEvent(String name) {
        return List.of(
                        "clEnqueueReadBuffer",
                        "clEnqueueWriteBuffer",
                        "clEnqueueNDRangeKernel",
                        "clEnqueueMarkerWithWaitList")
                .contains(name);
    }

    private synchronized Command queue(long queue, List<Call> calls, long @Nullable [] event) {
        Command command = new Command(queue, calls, new CompletableFuture<>());
        unflushed.computeIfAbsent(queue, key -> new ArrayList<>()).add(command);
        if (event != null) {
            event[0] = ++lastEvent;
            events.put(event[0], command);
        }
        return command;
    }

    private synchronized int flushed(long queue) {
        List<Command> commands = unflushed.getOrDefault(queue, List.of());
        unflushed.remove(queue);
        if (!commands.isEmpty()) {
            device.execute(() -> run(commands));
        }
        return 0;
    }

    private void run(List<Command> commands) {
        for (Command command : commands) {
            try {
                Thread.sleep(DELAY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            command.status().complete(run(command));
        }
    }

    private synchronized int run(Command command) {
        try {
            int status = 0;
            for (Call call : command.calls()) {
                int done = status(call);
                status = status == 0 ? done : status;
                if (call.method().getName().equals("clEnqueueMarkerWithWaitList")) {
                    real.clReleaseEvent(
                            ((long[]) Objects.requireNonNull(call.with().get(1)))[0]);
                }
            }
            int finished = real.clFinish(command.queue());
            return status == 0 ? finished : status;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private int finished(long queue) {
        List<Command> waiting;
        synchronized (this) {
            waiting = unflushed.getOrDefault(queue, List.of());
            flushed(queue);
        }
        return waiting.isEmpty() ? 0 : waiting.get(waiting.size() - 1).status().join();
    }

    private synchronized @Nullable Command command(long event) {
        return events.get(event);
    }

    private int waited(long event) {
        Command command = command(event);
        if (command == null) {
            return ClStatus.CL_INVALID_EVENT.code();
        }
        flushed(command.queue());
        return command.status().join();
    }

    private int state(long event, ByteBuffer value) {
        Command command = command(event);
        if (command == null) {
            return ClStatus.CL_INVALID_EVENT.code();
        }
        value.putInt(value.position(), command.status().getNow(QUEUED) == 0 ? COMPLETE : QUEUED);
        return 0;
    }

    private synchronized int forgotten(long event) {
        return events.remove(event) == null ? ClStatus.CL_INVALID_EVENT.code() : 0;
    }

    private synchronized int kept(Call release) {
        released.add(release);
        return 0;
    }

    private @Nullable Object closed(Call release) throws Throwable {
        CompletableFuture.runAsync(() -> {}, device).join();
        for (Call call : released) {
            result(call);
        }
        released.clear();
        return result(release);
    }
}
