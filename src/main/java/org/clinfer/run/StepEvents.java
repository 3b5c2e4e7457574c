package org.clinfer.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;
import org.clinfer.tensor.TensorType;
import org.clinfer.trace.TraceEvent;

/** Tells listeners of the steps of a plan's runs. */
final class StepEvents {

    private final ExecutionPlan plan;
    private final String device;
    private final IdentityHashMap<Step, Content> contents = new IdentityHashMap<>();

    /** What is told of a step and is the same in every run. */
    private record Content(TraceEvent.StepKind kind, List<TraceEvent.NodeWork> work, String value, long bytes) {}

    /** Of the latest run. */
    private long[] live = {};

    /** @param device the name of the device; empty without one */
    StepEvents(ExecutionPlan plan, String device) {
        this.plan = plan;
        this.device = device;
    }

    /** The steps of a run that came to its end. */
    List<TraceEvent.Step> of(long run, List<Step> steps, StepRecord record) {
        List<List<TraceEvent.Command>> commands = record.onHost();
        if (live.length != steps.size() + 1) { // one by one there are more steps
            live = LiveMemory.of(plan, steps);
        }
        List<TraceEvent.Step> events = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            Content content = contents.computeIfAbsent(step, this::content);
            events.add(new TraceEvent.Step(
                    run,
                    i,
                    content.kind(),
                    content.work(),
                    content.value(),
                    content.bytes(),
                    record.time(i),
                    commands.get(i),
                    device(commands.get(i)),
                    live[i]));
        }
        events.add(results(run, steps.size(), record, commands.get(steps.size()), live[steps.size()]));
        return events;
    }

    private TraceEvent.Step results(
            long run, int index, StepRecord record, List<TraceEvent.Command> commands, long liveBytes) {
        long bytes = plan.deviceOutputs().stream().mapToLong(this::bytes).sum();
        return new TraceEvent.Step(
                run,
                index,
                TraceEvent.StepKind.RESULTS,
                List.of(),
                String.join(",", plan.graph().outputs()),
                bytes,
                record.time(index),
                commands,
                device(commands),
                liveBytes);
    }

    private Content content(Step step) {
        List<TraceEvent.NodeWork> work = List.copyOf(work(step));
        String value = value(step);
        long bytes = value.isEmpty()
                ? work.stream().mapToLong(TraceEvent.NodeWork::bytes).sum()
                : bytes(value);
        return new Content(kind(step), work, value, bytes);
    }

    private String device(List<TraceEvent.Command> commands) {
        return commands.isEmpty() ? "" : device;
    }

    private static TraceEvent.StepKind kind(Step step) {
        if (step instanceof Step.Upload) {
            return TraceEvent.StepKind.UPLOAD;
        }
        if (step instanceof Step.Download) {
            return TraceEvent.StepKind.DOWNLOAD;
        }
        if (step instanceof Step.HostCall) {
            return TraceEvent.StepKind.CPU;
        }
        return step instanceof Step.Chain ? TraceEvent.StepKind.CHAIN : TraceEvent.StepKind.KERNELS;
    }

    private static String value(Step step) {
        if (step instanceof Step.Upload upload) {
            return upload.value();
        }
        return step instanceof Step.Download download ? download.value() : "";
    }

    private long bytes(String value) {
        TensorType type = plan.graph().types().get(value);
        return type == null ? 0 : type.bytes();
    }

    private List<TraceEvent.NodeWork> work(Step step) {
        if (step instanceof Step.Chain chain) {
            return chain.nodes().stream()
                    .map(launch -> work(launch.node(), launch.done(), launch.kernels()))
                    .toList();
        }
        if (step instanceof Step.Launch launch) {
            return List.of(work(launch.node(), launch.done(), launch.kernels()));
        }
        return step instanceof Step.HostCall call
                ? List.of(onHost(work(call.node(), call.done(), List.of())))
                : List.of();
    }

    /** With a reason also where a plan without a device needs none. */
    private TraceEvent.NodeWork onHost(TraceEvent.NodeWork work) {
        return device.isEmpty() && work.reasons().isEmpty()
                ? new TraceEvent.NodeWork(
                        work.node(),
                        work.op(),
                        work.form(),
                        work.variant(),
                        work.fused(),
                        work.launches(),
                        work.multiplyAdds(),
                        work.bytes(),
                        List.of("no node of this plan runs on a device"))
                : work;
    }

    /** @param done whether there is nothing to do, so that nothing is moved */
    private static TraceEvent.NodeWork work(PlacedNode placed, boolean done, List<KernelLaunch> kernels) {
        return new TraceEvent.NodeWork(
                placed.written().name(),
                placed.written().op(),
                placed.op(),
                placed.kernel(),
                placed.fused().stream().map(part -> part.written().name()).toList(),
                kernels.stream()
                        .map(launch -> new TraceEvent.KernelSize(launch.entry(), launch.global(), launch.local()))
                        .toList(),
                placed.node().multiplyAdds(),
                done ? 0 : bytes(placed),
                placed.reasons());
    }

    /** Bytes of the inputs, each once, and of the outputs. */
    private static long bytes(PlacedNode placed) {
        Set<String> read = new HashSet<>();
        long bytes = 0;
        for (int i = 0; i < placed.inputs().size(); i++) {
            TensorType type = placed.inputTypes().get(i);
            if (type != null && read.add(placed.inputs().get(i))) {
                bytes += type.bytes();
            }
        }
        for (TensorType type : placed.outputTypes()) {
            bytes += type.bytes();
        }
        return bytes;
    }
}
