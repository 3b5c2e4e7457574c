package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.OperatorUse;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.PlacedNode.Target;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/** Plans for graphs whose nodes are placed by the test. */
abstract class PlanTests {

    final GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", "")).input("x", DType.FLOAT32, 2, 8);
    private final Set<String> onDevice = new HashSet<>();
    MemoryLimits host = MemoryLimits.host();

    /** Adds a node on the CPU, or on the device where the operator is written with a star: {@code *Relu}. */
    void node(String op, String inputs, String outputs) {
        String bare = op.replace("*", "");
        if (op.startsWith("*")) {
            onDevice.add(outputs.split(",", -1)[0]);
        }
        Map<String, Attribute> params = switch (bare) {
            case "Reshape" -> Map.of("shape", Attribute.ofInts(-1));
            case "Split" -> Map.of("num_outputs", Attribute.of(2));
            case "Concat" -> Map.of("axis", Attribute.of(0));
            case "Slice" -> Map.of("starts", Attribute.ofInts(1), "ends", Attribute.ofInts(2));
            default -> Map.of();
        };
        builder.node(bare, List.of(inputs.split(",", -1)), List.of(outputs.split(",", -1)), params);
    }

    ExecutionPlan plan(String... outputs) {
        return plan(false, outputs);
    }

    /** A plan for a device that shares the host's memory. */
    ExecutionPlan sharedPlan(String... outputs) {
        return plan(true, outputs);
    }

    private ExecutionPlan plan(boolean sharesHost, String... outputs) {
        for (String output : outputs) {
            builder.output(output);
        }
        Graph graph = builder.build();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckRequest request = new CheckRequest(graph, types);
        CheckedGraph checked = Checker.check(request, OpCatalog.builtIn(), ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        List<PlacedNode> placed = checked.nodes().stream().map(this::placed).toList();
        ExecutionPlan plan = Planner.plan(
                new PlacedGraph(checked, placed),
                host,
                new MemoryLimits(128, 1 << 20, sharesHost, false),
                Chaining.NONE);
        PlanSimulation.verify(plan);
        return plan;
    }

    private PlacedNode placed(CheckedNode checked) {
        Node node = checked.node();
        OperatorUse use = new OperatorUse(
                checked.binding().scope(),
                node.inputs().stream().map(name -> !name.isEmpty()).toList(),
                node.outputs().size());
        Target target = onDevice.contains(node.outputs().get(0)) ? Target.DEVICE : Target.CPU;
        return new PlacedNode(checked.node(), checked, use, target, Optional.empty(), Optional.empty(), List.of());
    }

    /** The steps as {@code up x}, {@code down x}, {@code launch relu_0}, {@code call relu_1}. */
    static List<String> steps(ExecutionPlan plan) {
        List<String> steps = new ArrayList<>();
        for (Step step : plan.steps()) {
            if (step instanceof Step.Upload upload) {
                steps.add("up " + upload.value());
            } else if (step instanceof Step.Download download) {
                steps.add("down " + download.value());
            } else if (step instanceof Step.Launch launch) {
                steps.add("launch " + launch.node().form().name());
            } else if (step instanceof Step.HostCall call) {
                steps.add("call " + call.node().form().name());
            }
        }
        return steps;
    }
}
