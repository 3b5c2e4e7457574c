package org.clinfer.plan.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.OpCatalog;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckedNode;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.layout.BlockedForm.Operand;
import org.clinfer.plan.layout.BlockedForm.Output;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** A placed graph some units of which compute in blocked channels, with the changes of layout between. */
final class BlockedGraph {

    /** Gives a node in blocked channels its place; empty, with reasons, where there is none. */
    @FunctionalInterface
    interface Places {
        Optional<PlacedNode> of(CheckedNode node, List<String> reasons);
    }

    private final PlacedGraph before;
    private final List<Unit> units;
    private final boolean[] blocked;
    private final Map<String, Tensor> moreConstants;
    private final OpCatalog catalog;
    private final Bindings bindings;
    private final Places places;
    private final Margins margins;
    private final Map<String, TensorType> types;
    private final Map<String, Tensor> constants;
    private final Map<String, String> blockedNames = new HashMap<>();

    /** The unit that makes a value in blocked channels. */
    private final Map<String, Unit> makers = new HashMap<>();

    private final Set<String> plain = new HashSet<>();
    private final Map<String, List<String>> notTaken = new HashMap<>();
    private final List<PlacedNode> nodes = new ArrayList<>();

    BlockedGraph(
            PlacedGraph before,
            Units units,
            boolean[] blocked,
            Map<String, Tensor> moreConstants,
            OpCatalog catalog,
            Bindings bindings,
            Places places) {
        this.before = before;
        this.units = units.all();
        this.blocked = blocked;
        this.moreConstants = moreConstants;
        this.catalog = catalog;
        this.bindings = bindings;
        this.places = places;
        this.types = new LinkedHashMap<>(before.types());
        this.constants = new LinkedHashMap<>(before.constants());
        this.constants.putAll(moreConstants);
        this.margins = new Margins(chosen());
    }

    private List<Unit> chosen() {
        List<Unit> chosen = new ArrayList<>();
        for (int i = 0; i < blocked.length; i++) {
            if (blocked[i]) {
                chosen.add(units.get(i));
            }
        }
        return chosen;
    }

    /** {@return whether any unit computes in blocked channels} */
    boolean isChanged() {
        return !chosen().isEmpty();
    }

    /** Makes the nodes; the names of those that are not taken in blocked channels, with the reasons. */
    Map<String, List<String>> build() {
        plain.addAll(before.graph().inputTypes().keySet());
        plain.addAll(constants.keySet());
        for (int i = 0; i < units.size(); i++) {
            Unit unit = units.get(i);
            if (blocked[i]) {
                addBlocked(unit);
            } else {
                unit.inputs().forEach(value -> requirePlain(value, unit));
                nodes.addAll(unit.nodes());
                plain.addAll(unit.outputs());
            }
            if (!notTaken.isEmpty()) {
                return notTaken;
            }
        }
        before.outputs().forEach(output -> requirePlain(output, units.get(units.size() - 1)));
        return notTaken;
    }

    private void addBlocked(Unit unit) {
        BlockedForm form = unit.form().orElseThrow();
        Map<String, ExpressionValue> params = new HashMap<>(form.params());
        List<String> inputs = new ArrayList<>(form.inputs());
        Set<Integer> operands = new HashSet<>();
        for (Operand operand : form.operands()) {
            String value = form.inputs().get(operand.position());
            operands.add(operand.position());
            inputs.set(operand.position(), requireBlocked(value, unit));
            if (!operand.crop().isEmpty()) {
                params.put(
                        operand.crop(),
                        margins.of(value).beyond(operand.padding()).value());
            }
        }
        for (int i = 0; i < inputs.size(); i++) {
            if (!operands.contains(i) && !inputs.get(i).isEmpty()) {
                requirePlain(inputs.get(i), unit);
            }
        }
        if (!notTaken.isEmpty()) {
            return;
        }
        List<String> written = unit.nodes().get(unit.nodes().size() - 1).outputs();
        List<String> outputs = written;
        if (form.output() != Output.PLAIN) {
            outputs = written.stream()
                    .map(value -> value.isEmpty() ? "" : nameOfBlocks(value))
                    .toList();
        }
        if (form.output() == Output.BLOCKED) {
            params.put("y_halo", margins.of(written.get(0)).value());
        }
        Node first = unit.first().form();
        Node node = new Node(first.name(), form.op(), inputs, outputs, Map.of(), first.source());
        List<String> reasons = new ArrayList<>();
        Optional<PlacedNode> placed = place(node, params, reasons);
        if (placed.isEmpty()) {
            notTaken.put(first.name(), reasons);
            return;
        }
        List<PlacedNode> parts = new ArrayList<>(unit.first().fused());
        unit.nodes().subList(1, unit.nodes().size()).forEach(part -> {
            parts.add(part);
            parts.addAll(part.fused());
        });
        nodes.add(placed.get().doing(unit.first(), parts));
        if (form.output() == Output.PLAIN) {
            plain.addAll(written);
        } else {
            written.stream().filter(value -> !value.isEmpty()).forEach(value -> {
                blockedNames.put(value, nameOfBlocks(value));
                makers.put(value, unit);
            });
        }
    }

    private static String nameOfBlocks(String value) {
        return value + " as nChw16c";
    }

    /** The name of a value in blocked channels, which is made from the NCHW tensor where it is not there yet. */
    private String requireBlocked(String value, Unit user) {
        String known = blockedNames.get(value);
        if (known != null) {
            return known;
        }
        requirePlain(value, user);
        String name = nameOfBlocks(value);
        Node node = reorder("BlockChannels", value, name, user);
        addReorder(node, Map.of("y_halo", margins.of(value).value()), user);
        blockedNames.put(value, name);
        return name;
    }

    /** Makes the NCHW tensor of a value where there are only blocked channels. */
    private void requirePlain(String value, Unit user) {
        String known = blockedNames.get(value);
        if (known == null || !plain.add(value)) {
            return;
        }
        long channels = Objects.requireNonNull(types.get(value)).shape().sizes()[1];
        Node node = reorder("UnblockChannels", known, value, user);
        addReorder(
                node,
                Map.of(
                        "channels",
                        ExpressionValue.of(channels),
                        "crop",
                        margins.of(value).value()),
                Objects.requireNonNull(makers.get(value)));
    }

    private static Node reorder(String op, String from, String to, Unit user) {
        SourceRef source = user.first().form().source();
        return new Node(op + " " + to, op, List.of(from), List.of(to), Map.of(), source);
    }

    /** @param cause the unit in blocked channels that needs it, and is not taken where there is no place for it */
    private void addReorder(Node node, Map<String, ExpressionValue> params, Unit cause) {
        List<String> reasons = new ArrayList<>();
        Optional<PlacedNode> placed = place(node, params, reasons);
        if (placed.isPresent()) {
            nodes.add(placed.get());
        } else {
            notTaken.put(cause.first().form().name(), reasons);
        }
    }

    private Optional<PlacedNode> place(Node node, Map<String, ExpressionValue> params, List<String> reasons) {
        return bound(node, params).flatMap(checked -> places.of(checked, reasons));
    }

    private Optional<CheckedNode> bound(Node node, Map<String, ExpressionValue> params) {
        Optional<CheckedNode> bound =
                CheckedNode.of(bindings, catalog.find(node.op()).orElseThrow(), node, params, this::argument);
        bound.ifPresent(checked -> {
            for (int i = 0; i < node.outputs().size(); i++) {
                types.put(node.outputs().get(i), checked.outputTypes().get(i));
            }
        });
        return bound;
    }

    private ArgValue argument(String value) {
        Tensor constant = constants.get(value);
        return constant != null ? ArgValue.of(constant) : ArgValue.of(Objects.requireNonNull(types.get(value)));
    }

    /** The graph as it is built. */
    PlacedGraph finished() {
        Map<String, Tensor> ofModel = new LinkedHashMap<>(before.ofModel());
        ofModel.putAll(moreConstants);
        return before.with(nodes, types, ofModel, constants);
    }
}
