package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.clinfer.FaultTrial.Fault;
import org.clinfer.FaultTrial.Moment;
import org.clinfer.FaultTrial.Network;
import org.clinfer.FaultTrial.Outcome;
import org.clinfer.graph.Graph;
import org.clinfer.networks.BenchmarkNetwork;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenCL calls fail at every place in the life of an engine, alone and several in a row, with several statuses, by both
 * bindings. {@code mvn test -Pfaults} tries all of it with several networks; without the profile it is a small share with
 * one, and without tuning, which takes a second.
 *
 * <p>Properties, lists with commas: {@code faults.networks} ({@code products}, {@code demo}, names of benchmark networks),
 * {@code faults.bindings}, {@code faults.moments}, and {@code faults.every}: one trial of so many. Up to 24, which are the
 * ways in which one call may fail here, every call fails in at least one of them.
 */
@RequiresOpenCl
class FaultSweepTest {

    private static final Logger LOG = LoggerFactory.getLogger(FaultSweepTest.class);

    private static final long DEADLINE_SECONDS = 60;
    private static final int UNKNOWN_STATUS = -9999;
    private static final List<Integer> STATUSES = List.of(
            ClStatus.CL_OUT_OF_RESOURCES.code(),
            ClStatus.CL_OUT_OF_HOST_MEMORY.code(),
            ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE.code(),
            ClStatus.CL_INVALID_COMMAND_QUEUE.code(),
            ClStatus.CL_BUILD_PROGRAM_FAILURE.code(),
            UNKNOWN_STATUS);
    private static final List<Integer> BURSTS = List.of(1, 2, 5, 40);
    private static final int EVERY = Integer.getInteger("faults.every", 211);

    @TempDir
    Path folder;

    private final List<String> failures = new ArrayList<>();
    private int candidates;

    /** How the trials of one moment ended. */
    private static final class Figures {
        private int calls;
        private int trials;
        private long nanos;
        private final Map<String, Integer> ends = new TreeMap<>();

        void add(String end) {
            trials++;
            ends.merge(end, 1, Integer::sum);
        }

        @Override
        public String toString() {
            return String.format("%6d %6d %6.0f s %s", calls, trials, nanos / 1e9, ends);
        }
    }

    private static List<String> wanted(String property, String usual) {
        return List.of(System.getProperty(property, usual).split(","));
    }

    private Network network(String name) {
        switch (name) {
            case "products" -> {
                return Network.of(name, TestGraphs.products(), Map.of("x", TestGraphs.numbers(3, 6, 24)));
            }
            case "demo" -> {
                return made(name, Path.of("src/main/resources/org/clinfer/demo/shapes.onnx"));
            }
            default -> {
                BenchmarkNetwork network = BenchmarkNetwork.of(name);
                return made(name, network.write(folder, network.smallForm()).file());
            }
        }
    }

    /** With made-up inputs. */
    private static Network made(String name, Path file) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            Graph graph = engine.read(file);
            Map<String, Tensor> inputs = new HashMap<>();
            Random random = new Random(7);
            for (Graph.Input input : graph.inputs()) {
                Tensor tensor = Tensor.allocate(input.type());
                for (long i = 0; i < tensor.elements(); i++) {
                    tensor.setDouble(i, random.nextFloat());
                }
                inputs.put(input.name(), tensor);
            }
            return Network.of(name, graph, inputs);
        }
    }

    @Test
    void everyCallMayFail() {
        Map<String, Figures> table = new LinkedHashMap<>();
        List<Moment> moments = wanted("faults.moments", "OPEN,FIRST_RUN,LATER_RUN,PROFILE,CLOSE").stream()
                .map(moment -> named(Moment.class, "faults.moments", moment))
                .toList();
        for (String name : wanted("faults.networks", "products")) {
            Network network = network(name);
            for (String binding : wanted("faults.bindings", "LWJGL,JOCL")) {
                for (FaultTrial.Memory memory : FaultTrial.Memory.values()) {
                    FaultTrial trial =
                            new FaultTrial(network, named(ClBinding.class, "faults.bindings", binding), memory);
                    for (Moment moment : moments) {
                        Figures figures = new Figures();
                        String row = String.format("%-14s %-6s %-8s %-10s", name, binding, memory, moment);
                        table.put(row, figures);
                        sweep(trial, moment, figures);
                        LOG.info("{} {}", row, figures);
                    }
                }
            }
        }
        LOG.info("{}", text(table));
        assertThat(failures).isEmpty();
    }

    /** What a property names. */
    private static <E extends Enum<E>> E named(Class<E> kind, String property, String name) {
        List<E> known = List.of(kind.getEnumConstants());
        return known.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no '" + name + "', which " + property + " names; there are " + known));
    }

    @Test
    void aNameThatNothingHasIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> named(Moment.class, "faults.moments", "LATER"))
                .hasMessage("there is no 'LATER', which faults.moments names;"
                        + " there are [OPEN, FIRST_RUN, LATER_RUN, PROFILE, TUNE, CLOSE]");
        assertThat(named(ClBinding.class, "faults.bindings", "JOCL")).isEqualTo(ClBinding.JOCL);
    }

    private void sweep(FaultTrial trial, Moment moment, Figures figures) {
        Outcome sound = trial.run(moment, Fault.NONE);
        assertThat(sound.end()).isEqualTo(FaultTrial.RIGHT);
        figures.calls = sound.calls();
        for (int first = 1; first <= sound.calls(); first++) {
            for (int status : STATUSES) {
                for (int burst : BURSTS) {
                    if (candidates++ % EVERY == 0) {
                        long start = System.nanoTime();
                        figures.add(end(trial, moment, new Fault(first, burst, status)));
                        figures.nanos += System.nanoTime() - start;
                    }
                }
            }
        }
    }

    /** How a trial ends, within the deadline. */
    private String end(FaultTrial trial, Moment moment, Fault fault) {
        CompletableFuture<Outcome> running = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                running.complete(trial.run(moment, fault));
            } catch (Throwable failure) {
                running.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        String what = trial.network().name() + " by " + trial.binding() + ", " + moment + ", " + fault;
        try {
            return running.get(DEADLINE_SECONDS, TimeUnit.SECONDS).end();
        } catch (TimeoutException late) {
            failed(what + ": still waiting\n" + stacks());
            return "HANGS";
        } catch (ExecutionException failed) {
            failed(what + ": " + description(Objects.requireNonNull(failed.getCause())));
            return "FAILS";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Told at once: a sweep may take hours. */
    private void failed(String how) {
        LOG.error("{}", how);
        failures.add(how);
    }

    private static String description(Throwable failure) {
        StringBuilder lines = new StringBuilder(failure.toString());
        for (StackTraceElement frame : failure.getStackTrace()) {
            lines.append("\n    at ").append(frame);
        }
        return lines.toString();
    }

    /** What every thread is at. */
    static String stacks() {
        StringBuilder lines = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            lines.append(thread.getName()).append(' ').append(thread.getState()).append('\n');
            Arrays.stream(frames)
                    .forEach(frame -> lines.append("    at ").append(frame).append('\n'));
        });
        return lines.toString();
    }

    private static String text(Map<String, Figures> table) {
        StringBuilder lines = new StringBuilder("calls and trials of each moment, and how the trials ended");
        Map<String, Integer> sum = new TreeMap<>();
        table.forEach((row, figures) -> {
            lines.append(String.format("%n%s %s", row, figures));
            figures.ends.forEach((end, count) -> sum.merge(end, count, Integer::sum));
        });
        return lines.append(String.format("%nin all: %s", sum)).toString();
    }
}
