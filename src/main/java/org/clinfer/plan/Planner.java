package org.clinfer.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.costs.MachineCosts;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Orders the steps of a run, inserts the transfers between host and device, and plans the memory of both. */
public final class Planner {

    private static final int MOST_LENT = 6;

    /** Outputs beside these whose memory is lent because they are updated there. */
    private static final int MOST_UPDATED = 16;

    /** So much of the inputs is given to a device in the host's memory before it begins. */
    private static final long GIVEN_BYTES = 4 << 20;

    private static final long LENT_OUTPUT_BYTES = MachineCosts.builtIn().lentOutputBytes();

    private final PlacedGraph placed;
    private final MemoryLimits host;
    private final MemoryLimits device;
    private final Chaining chaining;
    private final List<Step> steps = new ArrayList<>();
    private final Map<String, String> owners = new HashMap<>();
    private final Map<String, TensorType> types = new HashMap<>();
    private final Set<String> inputs;
    private final Lifetimes onHost = new Lifetimes();
    private final Lifetimes onDevice = new Lifetimes();
    private final Set<String> deviceConstants = new HashSet<>();
    private final Map<String, List<String>> scratch = new HashMap<>();
    private final Updates updating;

    /** By output, the input that it is with elements replaced. */
    private final Map<String, String> updates = new HashMap<>();

    private Planner(PlacedGraph placed, MemoryLimits host, MemoryLimits device, Chaining chaining) {
        this.placed = placed;
        this.host = host;
        this.device = device;
        this.chaining = chaining;
        updating = new Updates(placed);
        inputs = placed.inputs().stream().map(Graph.Input::name).collect(Collectors.toSet());
        types.putAll(placed.types());
        placed.constants().forEach((name, tensor) -> types.put(name, tensor.type()));
    }

    /**
     * Plans a graph whose nodes all have a place.
     *
     * @param chaining which launches become one
     * @throws IllegalArgumentException if a value is larger than one allocation of its memory space
     */
    public static ExecutionPlan plan(PlacedGraph placed, MemoryLimits host, MemoryLimits device, Chaining chaining) {
        Planner planner = new Planner(placed, host, device, chaining);
        if (device.sharesHost()) {
            planner.giveSmallInputs();
        }
        placed.nodes().forEach(planner::add);
        return planner.finish();
    }

    /** Gives the device its small inputs before it begins, when the host copies them itself, and no chain ends for them. */
    private void giveSmallInputs() {
        long left = GIVEN_BYTES;
        for (PlacedNode placedNode : placed.nodes()) {
            boolean launch = placedNode.target() == PlacedNode.Target.DEVICE;
            List<String> names = placedNode.form().inputs();
            for (int i = 0; launch && i < names.size(); i++) {
                String name = names.get(i);
                boolean isNew = inputs.contains(name) && !onDevice.has(name) && !isValueArgument(placedNode, i);
                if (isNew && bytes(name) <= left) {
                    left -= bytes(name);
                    require(name, true);
                }
            }
        }
    }

    private void add(PlacedNode placedNode) {
        Node node = placedNode.form();
        boolean launch = placedNode.target() == PlacedNode.Target.DEVICE;
        for (int i = 0; i < node.inputs().size(); i++) {
            String input = node.inputs().get(i);
            if (!input.isEmpty() && !(launch && isValueArgument(placedNode, i))) {
                require(input, launch);
            }
        }
        int step = steps.size();
        node.inputs().stream().filter(name -> !name.isEmpty()).forEach(name -> touch(name, launch, step));
        Set<Integer> inPlace = outputsInInputs(placedNode, launch, step);
        for (int i = 0; i < node.outputs().size(); i++) {
            define(placedNode, i, launch, step);
        }
        inPlace.addAll(inputsInOutputs(placedNode, launch));
        boolean done = !inPlace.isEmpty() && inPlace.size() == PartialViews.owned(placedNode);
        boolean isUpdate = isUpdate(placedNode, launch);
        steps.add(
                launch
                        ? new Step.Launch(placedNode, inPlace, done, isUpdate)
                        : new Step.HostCall(placedNode, placedNode.isView() || done));
        defineScratch(placedNode, step);
    }

    /** Lets outputs lie in the memory of inputs where the description says how and the memory space allows it. */
    private Set<Integer> outputsInInputs(PlacedNode placed, boolean launch, int step) {
        Set<Integer> inPlace = new HashSet<>();
        Lifetimes space = launch ? onDevice : onHost;
        for (PartialViews.View view : PartialViews.ofOutputs(placed)) {
            String whole = owner(placed.inputs().get(view.whole()));
            String name = OutputNames.of(placed.form(), view.position());
            if (space.has(whole) && isAligned(space.located(whole).offset() + view.bytes(), launch)) {
                types.put(name, placed.outputTypes().get(view.position()));
                space.defineIn(name, whole, view.bytes(), step);
                inPlace.add(view.index());
            }
        }
        return inPlace;
    }

    /** Moves inputs into the memory of outputs where the description says how and the memory space allows it. */
    private Set<Integer> inputsInOutputs(PlacedNode placed, boolean launch) {
        Set<Integer> inPlace = new HashSet<>();
        Lifetimes space = launch ? onDevice : onHost;
        for (PartialViews.View view : PartialViews.ofInputs(placed)) {
            String value = owner(placed.inputs().get(view.position()));
            String whole = OutputNames.of(placed.form(), view.whole());
            if (space.spans().containsKey(value)
                    && space.spans().containsKey(whole)
                    && isAligned(view.bytes(), launch)) {
                space.moveInto(value, whole, view.bytes());
                inPlace.add(view.index());
            }
        }
        return inPlace;
    }

    /**
     * Lets a node replace elements where they are: on the device in every run, on the host where a run says so.
     *
     * @return whether the memory is the same in every run
     */
    private boolean isUpdate(PlacedNode placedNode, boolean launch) {
        Optional<String> found = updating.data(placedNode);
        if (found.isEmpty()) {
            return false;
        }
        String data = found.get();
        String output = OutputNames.of(placedNode.form(), 0);
        boolean isWhole = onDevice.parts().values().stream()
                .noneMatch(part -> part.whole().equals(data));
        boolean isShared = launch && isWhole && onDevice.spans().containsKey(data);
        if ((isShared || !launch) && inputs.contains(data) && placed.outputs().contains(output)) {
            updates.put(output, data);
        }
        if (isShared) {
            onDevice.moveInto(data, output, 0);
        }
        return isShared;
    }

    private boolean isAligned(long offset, boolean launch) {
        return !launch || offset % device.alignment() == 0;
    }

    private void defineScratch(PlacedNode placed, int step) {
        List<String> names = new ArrayList<>();
        for (KernelPlan.Scratch tensor :
                placed.launches().map(KernelPlan::scratch).orElse(List.of())) {
            String name = "scratch " + tensor.name() + " of " + placed.form().name();
            names.add(tensor.isStatic() ? "" : name);
            if (!tensor.isStatic()) {
                types.put(name, tensor.type());
                onDevice.define(name, step);
            }
        }
        if (!names.isEmpty()) {
            scratch.put(placed.form().name(), names);
        }
    }

    private static boolean isValueArgument(PlacedNode node, int position) {
        var arguments = node.description().inputs();
        return position < arguments.size() && arguments.get(position).value();
    }

    private void define(PlacedNode placedNode, int position, boolean launch, int step) {
        Node node = placedNode.form();
        String name = OutputNames.of(node, position);
        types.put(name, placedNode.outputTypes().get(position));
        Optional<String> viewed = placedNode.viewedInput(position);
        if ((launch ? onDevice : onHost).isPart(name)) {
            return;
        }
        if (viewed.isPresent()) {
            owners.put(name, owner(viewed.get()));
            touch(name, launch, step);
        } else {
            (launch ? onDevice : onHost).define(name, step);
        }
    }

    /** Makes sure that a value is where it is needed next. */
    private void require(String value, boolean launch) {
        String owner = owner(value);
        if (isConstant(owner)) {
            if (launch) {
                deviceConstants.add(owner);
            }
            return;
        }
        if (launch && !onDevice.has(owner)) {
            touch(owner, false, steps.size());
            onDevice.define(owner, steps.size());
            steps.add(new Step.Upload(owner));
        } else if (!launch && !onHost.has(owner) && !inputs.contains(owner)) {
            touch(owner, true, steps.size());
            onHost.define(owner, steps.size());
            steps.add(new Step.Download(owner));
        }
    }

    private void touch(String value, boolean launch, int step) {
        (launch ? onDevice : onHost).touch(owner(value), step);
    }

    private boolean isConstant(String owner) {
        return placed.constants().containsKey(owner);
    }

    private String owner(String value) {
        return owners.getOrDefault(value, value);
    }

    private ExecutionPlan finish() {
        Set<String> deviceOutputs = new HashSet<>();
        for (String output : placed.outputs()) {
            String owner = owner(output);
            boolean fromDevice = !onHost.has(owner) && !inputs.contains(owner) && !isConstant(owner);
            if (fromDevice) {
                deviceOutputs.add(output);
            }
            touch(output, fromDevice, steps.size());
        }
        Set<String> lent = device.sharesHost() ? lent(deviceOutputs) : Set.of();
        ArenaPlan deviceArena = arena(onDevice, device, lent, Set.of());
        ArenaPlan hostArena = arena(onHost, host, Set.of(), inArrays());
        return new ExecutionPlan(
                placed,
                chaining.chained(steps, value -> isLent(value, lent, deviceArena)),
                owners,
                deviceArena,
                hostArena,
                deviceConstants,
                deviceOutputs,
                lent,
                updates,
                scratch);
    }

    /**
     * Inputs that kernels only read and outputs that are nothing else, none with a part in it: the largest, because each
     * is a buffer of its own and one launch takes few.
     */
    private Set<String> lent(Set<String> deviceOutputs) {
        Set<String> wholes = onDevice.parts().entrySet().stream()
                .filter(part ->
                        !part.getKey().equals(updates.get(part.getValue().whole())))
                .map(part -> part.getValue().whole())
                .collect(Collectors.toSet());
        Map<String, Long> outputs = placed.outputs().stream()
                .filter(deviceOutputs::contains)
                .collect(Collectors.groupingBy(this::owner, Collectors.counting()));
        Set<String> written = written();
        Set<String> updated = onDevice.spans().keySet().stream()
                .filter(value -> updates.containsKey(value) && !wholes.contains(value) && bytes(value) > 0)
                .filter(value -> outputs.getOrDefault(value, 0L) == 1)
                .sorted(Comparator.comparingLong(this::bytes).reversed().thenComparing(Comparator.naturalOrder()))
                .limit(MOST_UPDATED)
                .collect(Collectors.toSet());
        Set<String> lent = onDevice.spans().keySet().stream()
                .filter(value -> !wholes.contains(value) && !updates.containsKey(value) && bytes(value) > 0)
                .filter(value -> inputs.contains(value)
                        ? !written.contains(value)
                        : outputs.getOrDefault(value, 0L) == 1 && bytes(value) >= LENT_OUTPUT_BYTES)
                .sorted(Comparator.comparingLong(this::bytes).reversed().thenComparing(Comparator.naturalOrder()))
                .limit(MOST_LENT)
                .collect(Collectors.toSet());
        lent.addAll(updated);
        return lent;
    }

    /** {@return whether a value is in lent memory, so that it is there before any kernel runs} */
    private static boolean isLent(String value, Set<String> lent, ArenaPlan arena) {
        return lent.contains(arena.wholes().getOrDefault(value, value));
    }

    /** Values in whose memory kernels may write what is a view of them. */
    private Set<String> written() {
        return steps.stream()
                .filter(step ->
                        step instanceof Step.Launch launch && !launch.node().isView())
                .map(step -> ((Step.Launch) step).node().form())
                .flatMap(node -> node.outputs().stream())
                .map(this::owner)
                .collect(Collectors.toSet());
    }

    private long bytes(String value) {
        return Objects.requireNonNull(types.get(value), value).bytes();
    }

    /** Values of the host with memory of their own that only operators meet which take them in arrays. */
    private Set<String> inArrays() {
        Set<String> others = new HashSet<>();
        placed.outputs()
                .forEach(output -> others.add(onHost.located(owner(output)).whole()));
        for (Step step : steps) {
            for (String value : ArrayValues.notInArrays(step, host.arrays())) {
                others.add(onHost.located(owner(value)).whole());
            }
        }
        Set<String> values = new HashSet<>(onHost.spans().keySet());
        values.removeIf(value -> others.contains(value) || !ArrayValues.isBlocked(types.get(value)));
        return values;
    }

    /** @param inArrays values that get arrays of floats */
    private ArenaPlan arena(Lifetimes lifetimes, MemoryLimits limits, Set<String> elsewhere, Set<String> inArrays) {
        List<ArenaPlanner.Request> requests = new ArrayList<>();
        List<ArenaPlanner.Request> ofArrays = new ArrayList<>();
        lifetimes.spans().forEach((value, span) -> {
            if (elsewhere.contains(value)) {
                return;
            }
            TensorType type = types.get(value);
            if (type == null) {
                throw new IllegalStateException("value '" + value + "' has no type");
            }
            (inArrays.contains(value) ? ofArrays : requests)
                    .add(new ArenaPlanner.Request(
                            value, Math.max(1, type.bytes()) + 2 * limits.margin(), span.first(), span.last()));
        });
        long chunkLimit = Math.min(limits.chunkBytes(), Tensor.MAX_BYTES);
        ArenaPlan plan = limits.costlyParts()
                ? new SharedAllocations(limits.alignment(), chunkLimit).plan(requests)
                : new ArenaPlanner(limits.alignment(), chunkLimit)
                        .plan(requests)
                        .within(limits.margin());
        if (!ofArrays.isEmpty()) {
            plan = plan.withArrays(new ArenaPlanner(limits.alignment(), chunkLimit).plan(ofArrays));
        }
        Map<String, ArenaPlan.Region> parts = new HashMap<>();
        Map<String, String> wholes = new HashMap<>();
        for (String value : lifetimes.parts().keySet()) {
            Lifetimes.Part part = lifetimes.located(value);
            wholes.put(value, part.whole());
            if (elsewhere.contains(part.whole())) {
                continue;
            }
            ArenaPlan.Region whole = Objects.requireNonNull(plan.regions().get(part.whole()));
            long bytes = Objects.requireNonNull(types.get(value)).bytes();
            parts.put(value, new ArenaPlan.Region(whole.chunk(), whole.offset() + part.offset(), bytes));
        }

        return plan.with(parts, wholes);
    }
}
