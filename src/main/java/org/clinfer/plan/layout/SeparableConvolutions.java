package org.clinfer.plan.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clinfer.check.CheckedNode;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Binding;
import org.clinfer.describe.OpCatalog;
import org.clinfer.expr.Value;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Joins what a depthwise separable convolution consists of, in blocked channels on a processor.
 *
 * <pre>
 * a = BlockedConv(x, w 1x1);  b = BlockedConv(a, v depthwise);  y = BlockedConv(b, u 1x1, r)
 * y = BlockedSeparableConv(x, w, v, u, r)
 * </pre>
 *
 * <p>What lies between them, which in inverted residuals has most of the elements, then stays in a processor's cache.
 * Where it would anyway, the parts are left as they are: each divides its work better by itself.
 */
public final class SeparableConvolutions {

    private static final String CONVOLUTION = "BlockedConv";
    private static final String JOINED = "BlockedSeparableConv";
    private static final int WEIGHTS = 1;
    private static final int BIAS = 2;
    private static final int RESIDUAL = 3;

    /** What the second caches of a few cores hold; less between convolutions stays there anyway. */
    public static final long LEAST_BYTES = 2 << 20;

    private final OpCatalog catalog;
    private final Placer placer;
    private final long leastBytes;

    /** @param leastBytes what has to lie between the convolutions for one image; usually {@link #LEAST_BYTES} */
    public SeparableConvolutions(OpCatalog catalog, Placer placer, long leastBytes) {
        this.catalog = catalog;
        this.placer = placer;
        this.leastBytes = leastBytes;
    }

    /** The graph with joined convolutions; the same where there are none. */
    public PlacedGraph apply(PlacedGraph placed) {
        Joined joined = new Joined(placed);
        for (PlacedNode node : placed.nodes()) {
            joined.join(node);
        }
        return joined.finished();
    }

    /** The graph while convolutions are joined. */
    private final class Joined {

        private final PlacedGraph placed;
        private final Map<String, PlacedNode> makers = new HashMap<>();
        private final Map<String, Integer> uses = new HashMap<>();
        private final Map<PlacedNode, Optional<PlacedNode>> changed = new HashMap<>();

        Joined(PlacedGraph placed) {
            this.placed = placed;
            for (PlacedNode node : placed.nodes()) {
                Node form = node.node().node();
                form.outputs().forEach(output -> makers.put(output, node));
                form.inputs().forEach(input -> uses.merge(input, 1, Integer::sum));
            }
            placed.graph().graph().outputs().forEach(output -> uses.merge(output, 1, Integer::sum));
        }

        /** Puts one node in the place of a last 1x1 convolution, where what it reads is made by a depthwise one. */
        void join(PlacedNode project) {
            if (!isPointwise(project)) {
                return;
            }
            ownMaker(project)
                    .filter(maker -> isDepthwise(maker) && isWhole(project, maker))
                    .map(depthwise -> parts(depthwise, project))
                    .filter(parts -> parts.bytesBetween() >= leastBytes)
                    .ifPresent(parts -> place(parts).ifPresent(taken -> {
                        parts.before().forEach(part -> changed.put(part, Optional.empty()));
                        changed.put(project, Optional.of(taken));
                    }));
        }

        private Parts parts(PlacedNode depthwise, PlacedNode project) {
            Optional<PlacedNode> expand = ownMaker(depthwise)
                    .filter(maker -> isPointwise(maker)
                            && input(maker, RESIDUAL).isEmpty()
                            && padding(depthwise, maker).isPresent());
            return new Parts(expand, depthwise, project);
        }

        private Optional<PlacedNode> place(Parts parts) {
            Node last = parts.project().node().node();
            Node node = new Node(last.name(), JOINED, parts.inputs(), last.outputs(), Map.of(), last.source());
            List<PlacedNode> others = new ArrayList<>();
            parts.before().forEach(part -> {
                others.add(part);
                others.addAll(part.fused());
            });
            others.addAll(parts.project().fused());
            return CheckedNode.of(
                            placer.bindings(), catalog.find(JOINED).orElseThrow(), node, parts.params(), this::argument)
                    .filter(bound ->
                            bound.outputTypes().equals(parts.project().node().outputTypes()))
                    .flatMap(bound -> placer.onDevice(bound, new ArrayList<>()))
                    .filter(taken -> !taken.variant().orElseThrow().isReference())
                    .map(taken -> taken.doing(parts.project(), others));
        }

        private ArgValue argument(String value) {
            Tensor constant = placed.graph().constants().get(value);
            return constant != null
                    ? ArgValue.of(constant)
                    : ArgValue.of(Objects.requireNonNull(placed.graph().types().get(value)));
        }

        /** Who makes the first input of a node, if nothing else uses that, and it is not joined to another one. */
        private Optional<PlacedNode> ownMaker(PlacedNode node) {
            String value = input(node, 0);
            return Optional.ofNullable(makers.get(value))
                    .filter(maker -> uses.getOrDefault(value, 0) == 1 && !changed.containsKey(maker));
        }

        PlacedGraph finished() {
            if (changed.isEmpty()) {
                return placed;
            }
            List<PlacedNode> nodes = placed.nodes().stream()
                    .flatMap(node -> changed.getOrDefault(node, Optional.of(node)).stream())
                    .toList();
            Map<String, TensorType> types = new LinkedHashMap<>(placed.graph().types());
            changed.forEach((node, by) -> {
                if (by.isEmpty()) {
                    types.keySet().removeAll(node.node().node().outputs());
                }
            });
            return placed.with(
                    nodes,
                    types,
                    placed.graph().graph().constants(),
                    placed.graph().constants());
        }
    }

    /**
     * Convolutions each of which alone uses what the one before makes.
     *
     * @param expand the one before the depthwise one, if it makes all that that reads but zeros
     */
    private record Parts(Optional<PlacedNode> expand, PlacedNode depthwise, PlacedNode project) {

        /** Those before the last. */
        List<PlacedNode> before() {
            return Stream.concat(expand.stream(), Stream.of(depthwise)).toList();
        }

        private PlacedNode first() {
            return expand.orElse(depthwise);
        }

        /** What they write for each other for one image. */
        long bytesBetween() {
            long elements = before().stream()
                    .map(part -> part.node().outputTypes().get(0))
                    .mapToLong(type -> type.shape().elements() / type.shape().sizes()[0])
                    .sum();
            return elements * Float.BYTES;
        }

        List<String> inputs() {
            return List.of(
                    input(first(), 0),
                    expand.map(part -> input(part, WEIGHTS)).orElse(""),
                    expand.map(part -> input(part, BIAS)).orElse(""),
                    input(depthwise, WEIGHTS),
                    input(depthwise, BIAS),
                    input(project, WEIGHTS),
                    input(project, BIAS),
                    input(project, RESIDUAL));
        }

        Map<String, Value> params() {
            Map<String, Value> params = new HashMap<>();
            params.put("strides", param(depthwise, "strides"));
            params.put("crop", param(first(), "crop"));
            params.put(
                    "pads",
                    expand.flatMap(part -> padding(depthwise, part))
                            .orElse(Margin.NONE)
                            .value());
            params.put("activations", each(Value.of("NONE"), part -> param(part, "activation")));
            params.put("alphas", each(Value.of(0.0), part -> param(part, "alpha")));
            params.put("betas", each(Value.of(0.0), part -> param(part, "beta")));
            for (String name : List.of("y_halo", "residual_add", "residual_crop")) {
                params.put(name, param(project, name));
            }
            return params;
        }

        private Value each(Value withoutExpanding, Function<PlacedNode, Value> value) {
            return Value.list(expand.map(value).orElse(withoutExpanding), value.apply(depthwise), value.apply(project));
        }
    }

    private static boolean isConvolution(PlacedNode node) {
        return node.target() == PlacedNode.Target.DEVICE
                && node.node().node().op().equals(CONVOLUTION)
                && !node.node().binding().text("activation").equals("PRELU");
    }

    private static boolean isPointwise(PlacedNode node) {
        if (!isConvolution(node)) {
            return false;
        }
        Binding binding = node.node().binding();
        return binding.integer("groups") == 1 && isOnes(binding, "kernel") && isOnes(binding, "strides");
    }

    private static boolean isDepthwise(PlacedNode node) {
        return isConvolution(node)
                && node.node().binding().flag("is_depthwise")
                && isOnes(node.node().binding(), "dilations")
                && input(node, RESIDUAL).isEmpty();
    }

    private static boolean isOnes(Binding binding, String name) {
        long[] values = binding.integers(name);
        return values[0] == 1 && values[1] == 1;
    }

    /** Whether a node reads what another one makes without its margin, and all of that. */
    private static boolean isWhole(PlacedNode node, PlacedNode maker) {
        return padding(node, maker).filter(Margin.NONE::equals).isPresent();
    }

    /** How much of the margin of what one node makes another one reads; empty where it leaves out more than the margin. */
    private static Optional<Margin> padding(PlacedNode node, PlacedNode maker) {
        long[] crop = node.node().binding().integers("crop");
        long[] halo = maker.node().binding().integers("y_halo");
        for (int side = 0; side < crop.length; side++) {
            if (crop[side] > halo[side]) {
                return Optional.empty();
            }
        }
        return Optional.of(Margin.of(halo[0] - crop[0], halo[1] - crop[1], halo[2] - crop[2], halo[3] - crop[3]));
    }

    private static Value param(PlacedNode node, String name) {
        return node.node().binding().params().getOrDefault(name, Value.absent());
    }

    private static String input(PlacedNode node, int position) {
        List<String> inputs = node.node().node().inputs();
        return position < inputs.size() ? inputs.get(position) : "";
    }
}
