package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The outputs of the runs of one plan, one run at a time: their memory, and how they come there or stay where they are. */
final class RunOutputs {

    private final ExecutionPlan plan;
    private final HostMemory host;
    private final OutputMemory memory;

    /** Memory of those outputs of the run that come to the host, or are made there. */
    private final Map<String, ByteBuffer> results = new LinkedHashMap<>();

    /** Outputs of the run that are written in the memory of an input, with the tensor of this. */
    private final Map<String, Tensor> updated = new LinkedHashMap<>();

    private KeptValues kept = KeptValues.none();

    /** The mark that the device has memory of its own, in which outputs can stay. */
    private boolean hasDeviceMemory;

    RunOutputs(ExecutionPlan plan, HostMemory host, OutputMemory memory) {
        this.plan = plan;
        this.host = host;
        this.memory = memory;
    }

    /**
     * Takes memory for the outputs of a run; kernels write in it where it is lent to the device.
     *
     * @param values which outputs stay on the device, and which are wanted
     * @param device the memory of the plan on the device, or null where the CPU does everything
     */
    void begin(KeptValues values, @Nullable DeviceMemory device) {
        kept = values;
        hasDeviceMemory = device != null && !device.isHostMemory();
        results.clear();
        updated.clear();
        for (String name : plan.graph().outputs()) {
            boolean isLent = isLent(name);
            if (!isLent && (!kept.isWanted(name) || stays(name))) {
                continue;
            }
            ByteBuffer bytes = memory(name, isLent);
            results.put(name, bytes);
            if (isLent && device != null) {
                device.lent().lendOutput(plan.owner(name), bytes.duplicate());
            }
        }
        host.bindResults(results);
    }

    /** The memory of an output: that of an input of which it replaces elements, if nobody needs this any more, or its own. */
    private ByteBuffer memory(String name, boolean isLent) {
        String data = plan.updates().get(name);
        Tensor given = data == null ? null : host.input(data);
        boolean isOnHost = !plan.deviceOutputs().contains(name) && host.isResult(name);
        if (data == null || given == null || !(isLent || isOnHost) || !kept.isUpdatable(name, given)) {
            return memory.take(name, plan.type(name));
        }
        updated.put(name, given);
        if (isOnHost) {
            host.update(name, data);
        }
        return given.bytes();
    }

    /** A step is about to run: if it is the device's, values in which it may write are not whole before the run has ended. */
    void begin(Step step) {
        if (!updated.isEmpty() && (step instanceof Step.Launch || step instanceof Step.Chain)) {
            updated.forEach((output, value) -> {
                if (isLent(output)) {
                    kept.begin(value);
                }
            });
        }
    }

    /** A step has run: so are those in which one of the CPU wrote. One that fails has written nothing. */
    void end(Step step) {
        if (!updated.isEmpty() && step instanceof Step.HostCall call) {
            call.node().outputs().stream()
                    .map(updated::get)
                    .filter(Objects::nonNull)
                    .forEach(kept::begin);
        }
    }

    private boolean isLent(String name) {
        return plan.deviceOutputs().contains(name) && plan.lent().contains(plan.owner(name));
    }

    /** {@return whether an output is in the device's own memory, and is left there} */
    private boolean stays(String name) {
        return hasDeviceMemory && kept.stays(name) && plan.deviceOutputs().contains(name) && !isLent(name);
    }

    /** Ends a run without a device. */
    Map<String, Tensor> onHost() {
        Map<String, Tensor> outputs = new LinkedHashMap<>();
        results.forEach((name, bytes) -> outputs.put(name, hosted(name, bytes)));
        updated.values().forEach(kept::finish);
        return outputs;
    }

    /** An output that a node on the host made, or that is an input or a constant. */
    private Tensor hosted(String name, ByteBuffer bytes) {
        TensorType type = plan.type(name);
        if (!host.isResult(name)) {
            host.tensor(name, type).writeTo(bytes.duplicate());
        }
        return tensor(name, type, bytes);
    }

    private Tensor tensor(String name, TensorType type, ByteBuffer bytes) {
        Tensor same = updated.get(name);
        if (same != null) {
            return same;
        }
        return kept.stays(name)
                ? kept.made(Tensor.wrap(type, bytes), () -> memory.giveBack(name, bytes))
                : memory.tensor(name, type, bytes);
    }

    /** Ends a run: the outputs that were wanted in the order of the model, when all commands are done. */
    Map<String, Tensor> of(DeviceSide device) {
        Map<String, Tensor> outputs = new LinkedHashMap<>();
        try {
            collect(outputs, device);
            device.end();
            updated.values().forEach(kept::finish);
            return outputs;
        } catch (RuntimeException | Error e) {
            outputs.values().stream()
                    .filter(output -> !updated.containsValue(output))
                    .forEach(kept::release);
            throw e;
        }
    }

    private void collect(Map<String, Tensor> outputs, DeviceSide device) {
        for (String name : plan.graph().outputs()) {
            TensorType type = plan.type(name);
            ByteBuffer bytes = results.get(name);
            if (bytes == null) {
                if (stays(name)) {
                    outputs.put(name, device.keep(name, kept));
                }
            } else if (isLent(name)) {
                device.show(name);
                outputs.put(name, tensor(name, type, bytes));
            } else if (plan.deviceOutputs().contains(name)) {
                device.fetch(name, bytes.duplicate());
                outputs.put(name, tensor(name, type, bytes));
            } else {
                outputs.put(name, hosted(name, bytes));
            }
        }
    }
}
