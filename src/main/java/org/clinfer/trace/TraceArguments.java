package org.clinfer.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/** Writes what is known of events beside their times. */
final class TraceArguments {

    private static final double NANOS_PER_MICRO = 1e3;

    private final JsonGenerator json;
    private final NodeArguments nodes = new NodeArguments();
    private final Map<String, TraceEvent.Peak> peaks = new HashMap<>();

    TraceArguments(JsonGenerator json) {
        this.json = json;
    }

    /** Shares of what this device can do at most are told from now on. */
    void know(TraceEvent.Peak peak) {
        peaks.put(peak.device(), peak);
    }

    void of(TraceEvent.Peak peak) {
        json.writeNumberProperty("peak_gflops", peak.gflops());
        json.writeNumberProperty("peak_gb_per_s", peak.gigabytes());
    }

    void of(TraceEvent.Run run) {
        json.writeNumberProperty("run", run.number());
        json.writeBooleanProperty("one_by_one", run.isOneByOne());
        json.writeNumberProperty("steps", run.steps());
        if (run.device().isPresent()) {
            json.writeNumberProperty("device_us", run.device().getAsLong() / NANOS_PER_MICRO);
        }
        run.failure().ifPresent(failure -> json.writeStringProperty("failure", failure));
    }

    void of(TraceEvent.Plan plan) {
        json.writeStringProperty("inputs", plan.inputs());
        json.writeStringProperty("device", plan.device());
        json.writeNumberProperty("nodes_on_device", plan.onDevice());
        json.writeNumberProperty("nodes_on_cpu", plan.onCpu());
        json.writeNumberProperty("launches", plan.launches());
        json.writeNumberProperty("device_bytes", plan.deviceBytes());
        json.writeNumberProperty("host_bytes", plan.hostBytes());
    }

    void of(TraceEvent.Build build) {
        json.writeStringProperty("device", build.device());
        json.writeStringProperty("from", build.isCached() ? "kept binary" : "source");
        build.failure().ifPresent(failure -> json.writeStringProperty("failure", failure));
    }

    void of(TraceEvent.Fallback fallback) {
        json.writeStringProperty("network", fallback.network());
        json.writeStringProperty("op", fallback.op());
        NodeArguments.texts(json, "why", fallback.reasons());
    }

    void of(TraceEvent.Recovery recovery) {
        json.writeStringProperty("device", recovery.device());
        json.writeStringProperty("step", recovery.step());
    }

    void of(TraceEvent.Trial trial) {
        json.writeStringProperty("op", trial.op());
        json.writeNumberProperty("nodes", trial.nodes());
        json.writeStringProperty("chosen", trial.chosen());
        json.writeObjectPropertyStart("median_us");
        trial.variants().forEach(each -> json.writeNumberProperty(each.variant(), each.micros()));
        json.writeEndObject();
    }

    /** A step as the host did it. */
    void ofHost(TraceEvent.Step step) {
        json.writeNumberProperty("run", step.run());
        json.writeNumberProperty("step", step.index());
        json.writeNumberProperty("bytes", step.bytes());
        json.writeNumberProperty("live_bytes", step.liveBytes());
        if (step.kind() == TraceEvent.StepKind.CPU) {
            json.writeRaw(nodes.of(step.work().get(0), step.kind()));
            rates(step.multiplyAdds(), step.bytes(), step.time().nanos());
            shares(step, TraceEvent.Peak.CPU, step.time().nanos());
        }
    }

    /** A command as the device did it. */
    void ofDevice(TraceEvent.Step step, TraceEvent.Command command) {
        json.writeNumberProperty("run", step.run());
        json.writeNumberProperty("step", step.index());
        json.writeStringProperty("command", command.name());
        command.device()
                .ifPresent(time -> json.writeNumberProperty(
                        "wait_us", (time.startNanos() - command.enqueued().startNanos()) / NANOS_PER_MICRO));
        if (!command.isKernel()) {
            json.writeNumberProperty("bytes", command.bytes());
            command.device().ifPresent(time -> rates(OptionalLong.of(0), command.bytes(), time.nanos()));
            return;
        }
        json.writeNumberProperty("bytes", step.bytes());
        long kernels =
                step.commands().stream().filter(TraceEvent.Command::isKernel).count();
        if (kernels > 1) {
            json.writeNumberProperty("kernels_of_node", kernels);
        }
        long nanos = step.deviceNanos();
        rates(step.multiplyAdds(), step.bytes(), nanos);
        shares(step, step.device(), nanos);
        if (step.work().size() == 1) {
            json.writeRaw(nodes.of(step.work().get(0), step.kind()));
        } else {
            json.writeArrayPropertyStart("nodes");
            step.work().forEach(node -> {
                json.writeStartObject();
                json.writeNumberProperty("bytes", node.bytes());
                json.writeRaw(nodes.of(node, step.kind()));
                json.writeEndObject();
            });
            json.writeEndArray();
        }
    }

    private void shares(TraceEvent.Step step, String device, long nanos) {
        TraceEvent.Peak peak = peaks.get(device);
        if (peak == null || nanos <= 0) {
            return;
        }
        if (step.multiplyAdds().orElse(0) > 0) {
            json.writeNumberProperty(
                    "share_of_peak_gflops", 2.0 * step.multiplyAdds().getAsLong() / nanos / peak.gflops());
        }
        if (step.bytes() > 0) {
            json.writeNumberProperty("share_of_peak_gb_per_s", (double) step.bytes() / nanos / peak.gigabytes());
        }
    }

    private void rates(OptionalLong multiplyAdds, long bytes, long nanos) {
        if (nanos <= 0) {
            return;
        }
        if (multiplyAdds.orElse(0) > 0) {
            json.writeNumberProperty("gflops", 2.0 * multiplyAdds.getAsLong() / nanos);
        }
        if (bytes > 0) {
            json.writeNumberProperty("gb_per_s", (double) bytes / nanos);
        }
    }
}
