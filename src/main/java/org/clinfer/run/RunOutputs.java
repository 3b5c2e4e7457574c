package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.opencl.ClQueue;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The outputs of the runs of one plan, one run at a time: their memory, and how they come there or stay where they are. */
final class RunOutputs {

    private final ExecutionPlan plan;
    private final HostMemory host;
    private final OutputMemory memory = new OutputMemory();

    /** Memory of those outputs of the run that come to the host, or are made there. */
    private final Map<String, ByteBuffer> results = new LinkedHashMap<>();

    private KeptValues kept = KeptValues.none();

    /** The mark that the device has memory of its own, in which outputs can stay. */
    private boolean hasDeviceMemory;

    RunOutputs(ExecutionPlan plan, HostMemory host) {
        this.plan = plan;
        this.host = host;
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
        for (String name : plan.graph().outputs()) {
            boolean isLent = isLent(name);
            if (!isLent && (!kept.isWanted(name) || stays(name))) {
                continue;
            }
            ByteBuffer bytes = memory.take(name, plan.type(name));
            results.put(name, bytes);
            if (isLent && device != null) {
                device.lent().lendOutput(plan.owner(name), bytes.duplicate());
            }
        }
        host.bindResults(results);
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
        return outputs;
    }

    /** An output that a node on the host made, or that is an input or a constant. */
    private Tensor hosted(String name, ByteBuffer bytes) {
        TensorType type = plan.type(name);
        if (!host.isResult(name)) {
            host.tensor(name, type).writeTo(bytes.duplicate());
        }
        return memory.tensor(name, type, bytes);
    }

    /** Ends a run: the outputs that were wanted in the order of the model, when all commands are done. */
    Map<String, Tensor> of(DeviceMemory device, DeviceRuntime runtime, ClQueue queue, Transfers transfers) {
        Map<String, Tensor> outputs = new LinkedHashMap<>();
        try {
            collect(outputs, device, runtime, queue, transfers);
            transfers.arrive(queue);
            device.lent().end();
            return outputs;
        } catch (RuntimeException | Error e) {
            outputs.values().forEach(kept::release);
            throw e;
        }
    }

    private void collect(
            Map<String, Tensor> outputs,
            DeviceMemory device,
            DeviceRuntime runtime,
            ClQueue queue,
            Transfers transfers) {
        for (String name : plan.graph().outputs()) {
            TensorType type = plan.type(name);
            ByteBuffer bytes = results.get(name);
            if (bytes == null) {
                if (stays(name)) {
                    outputs.put(name, kept.made(queue, runtime, name, type, device.buffer(name)));
                }
            } else if (isLent(name)) {
                device.lent().show(plan.owner(name), queue);
                outputs.put(name, memory.tensor(name, type, bytes));
            } else if (plan.deviceOutputs().contains(name)) {
                if (bytes.hasRemaining()) {
                    transfers.fetch(queue, name, device.buffer(name), bytes.duplicate());
                }
                outputs.put(name, memory.tensor(name, type, bytes));
            } else {
                outputs.put(name, hosted(name, bytes));
            }
        }
    }
}
