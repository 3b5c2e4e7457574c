package org.clinfer.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.describe.OutputDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Orders the steps of a run, inserts the transfers between host and device, and plans the memory of both. */
public final class Planner {

    private final PlacedGraph placed;
    private final MemoryLimits host;
    private final MemoryLimits device;
    private final List<Step> steps = new ArrayList<>();
    private final Map<String, String> owners = new HashMap<>();
    private final Map<String, TensorType> types = new HashMap<>();
    private final Set<String> inputs;
    private final Lifetimes onHost = new Lifetimes();
    private final Lifetimes onDevice = new Lifetimes();
    private final Set<String> deviceConstants = new HashSet<>();

    private Planner(PlacedGraph placed, MemoryLimits host, MemoryLimits device) {
        this.placed = placed;
        this.host = host;
        this.device = device;
        Graph graph = placed.graph().graph();
        inputs = graph.inputs().stream().map(Graph.Input::name).collect(Collectors.toSet());
        types.putAll(placed.graph().types());
        placed.graph().constants().forEach((name, tensor) -> types.put(name, tensor.type()));
    }

    /**
     * Plans a graph whose nodes all have a place.
     *
     * @throws IllegalArgumentException if a value is larger than one allocation of its memory space
     */
    public static ExecutionPlan plan(PlacedGraph placed, MemoryLimits host, MemoryLimits device) {
        Planner planner = new Planner(placed, host, device);
        placed.nodes().forEach(planner::add);
        return planner.finish();
    }

    private void add(PlacedNode placedNode) {
        Node node = placedNode.node().node();
        boolean launch = placedNode.target() == PlacedNode.Target.DEVICE;
        for (int i = 0; i < node.inputs().size(); i++) {
            String input = node.inputs().get(i);
            if (!input.isEmpty() && !(launch && isValueArgument(placedNode, i))) {
                require(input, launch);
            }
        }
        int step = steps.size();
        steps.add(launch ? new Step.Launch(placedNode) : new Step.HostCall(placedNode));
        node.inputs().stream().filter(name -> !name.isEmpty()).forEach(name -> touch(name, launch, step));
        for (int i = 0; i < node.outputs().size(); i++) {
            define(placedNode, i, launch, step);
        }
    }

    private static boolean isValueArgument(PlacedNode node, int position) {
        var arguments = node.node().op().inputs();
        return position < arguments.size() && arguments.get(position).value();
    }

    private void define(PlacedNode placedNode, int position, boolean launch, int step) {
        Node node = placedNode.node().node();
        String name = OutputNames.of(node, position);
        types.put(name, placedNode.node().outputTypes().get(position));
        String source = viewedInput(placedNode, position);
        if (!source.isEmpty()) {
            owners.put(name, owner(source));
            touch(name, launch, step);
        } else {
            (launch ? onDevice : onHost).define(name, step);
        }
    }

    /** The input whose memory an output is, or empty; constants are not viewed because they belong to nobody's arena. */
    private static String viewedInput(PlacedNode placedNode, int position) {
        var outputs = placedNode.node().op().outputs();
        OutputDescription description = outputs.get(Math.min(position, outputs.size() - 1));
        if (description.owner().isEmpty()) {
            return "";
        }
        var arguments = placedNode.node().op().inputs();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).name().equals(description.owner())) {
                return placedNode.node().node().inputs().get(i);
            }
        }
        throw new IllegalStateException("owner '" + description.owner() + "' is no input of "
                + placedNode.node().op().optype());
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
        return placed.graph().constants().containsKey(owner);
    }

    private String owner(String value) {
        return owners.getOrDefault(value, value);
    }

    private ExecutionPlan finish() {
        Set<String> deviceOutputs = new HashSet<>();
        for (String output : placed.graph().graph().outputs()) {
            String owner = owner(output);
            boolean fromDevice = !onHost.has(owner) && !inputs.contains(owner) && !isConstant(owner);
            if (fromDevice) {
                deviceOutputs.add(output);
            }
            touch(output, fromDevice, steps.size());
        }
        ArenaPlan deviceArena = arena(onDevice, device);
        ArenaPlan hostArena = arena(onHost, host);
        return new ExecutionPlan(placed, steps, owners, deviceArena, hostArena, deviceConstants, deviceOutputs);
    }

    private ArenaPlan arena(Lifetimes lifetimes, MemoryLimits limits) {
        List<ArenaPlanner.Request> requests = new ArrayList<>();
        lifetimes.spans().forEach((value, span) -> {
            TensorType type = types.get(value);
            if (type == null) {
                throw new IllegalStateException("value '" + value + "' has no type");
            }
            requests.add(new ArenaPlanner.Request(value, Math.max(1, type.bytes()), span.first(), span.last()));
        });
        return new ArenaPlanner(limits.alignment(), Math.min(limits.chunkBytes(), Tensor.MAX_BYTES)).plan(requests);
    }

    /** From which step to which each value is needed in one memory space. */
    private static final class Lifetimes {

        record Span(int first, int last) {}

        private final Map<String, Span> spans = new LinkedHashMap<>();

        boolean has(String value) {
            return spans.containsKey(value);
        }

        void define(String value, int step) {
            spans.put(value, new Span(step, step));
        }

        /** Extends a lifetime; a value that is not defined here is not kept here. */
        void touch(String value, int step) {
            spans.computeIfPresent(value, (name, span) -> new Span(span.first(), Math.max(span.last(), step)));
        }

        Map<String, Span> spans() {
            return spans;
        }
    }
}
