package org.clinfer.fix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;

/**
 * Looks for the smallest change of a region with which the device runs all of it. A step rewrites the first node that is
 * refused; the smallest region is looked at first, and at most {@value #MOST_STEPS} steps follow each other.
 */
final class FixSearch {

    private static final int MOST_STEPS = 3;

    /** Regions that are looked at for one node. */
    private static final int MOST_LOOKS = 100;

    /** A change may have so many nodes more. */
    private static final int MOST_NODES = 48;

    /** A change may take so many times the multiply-adds, where these are more than a few. */
    private static final long MOST_WORK = 64;

    private static final long FEW = 1L << 24;

    private final DeviceCheck device;
    private final Equality equality;
    private final List<Rewrite> rewrites;
    private final Map<String, NetworkFix.Dropped> dropped = new LinkedHashMap<>();
    private final Map<Object, Optional<List<Integer>>> known = new HashMap<>();

    FixSearch(DeviceCheck device, Equality equality, List<Rewrite> rewrites) {
        this.device = device;
        this.equality = equality;
        this.rewrites = rewrites;
    }

    /** A change, and the difference of its results. */
    record Found(Change change, ResultDifference difference) {}

    /** The changes that the device would run and whose results differ by too much. */
    List<NetworkFix.Dropped> dropped() {
        return List.copyOf(dropped.values());
    }

    /**
     * The smallest change found whose results are the same. A region that is like one seen before is changed like that one.
     *
     * @param joint whether the first step must be one that takes neighbours of the refused node away with it
     * @param made the owner of the tensors that the change needs
     */
    Optional<Found> of(Graph region, boolean joint, MadeTensors made) {
        Change start = look(Change.none(region));
        Object key = List.of(joint, key(checked(start)));
        Optional<List<Integer>> before = known.get(key);
        if (before != null && before.isEmpty()) {
            return Optional.empty();
        }
        try (MadeTensors scratch = new MadeTensors()) {
            Optional<Found> found = before == null ? Optional.empty() : repeated(start, joint, before.get(), scratch);
            if (found.isEmpty()) {
                found = search(start, joint, scratch);
                known.put(key, found.map(each -> each.change().choices()));
            }
            found.ifPresent(
                    each -> scratch.keep(each.change().graph().constants().values(), made));
            return found;
        }
    }

    private Optional<Found> search(Change start, boolean joint, MadeTensors scratch) {
        PriorityQueue<Change> open = new PriorityQueue<>(Change.ORDER);
        open.add(start);
        Set<Object> seen = new HashSet<>();
        for (int looks = 0; looks < MOST_LOOKS && !open.isEmpty(); ) {
            Change change = open.remove();
            if (change.looked().isEmpty()) {
                Change looked = look(change);
                if (isSmall(looked, start) && seen.add(key(checked(looked)))) {
                    open.add(looked);
                }
                continue;
            }
            looks++;
            CheckReport report = device.verdicts(checked(change));
            if (!change.steps().isEmpty() && DeviceCheck.passes(checked(change), report)) {
                Optional<Found> found = proven(start, change);
                if (found.isPresent()) {
                    return found;
                }
            } else if (mayPass(change, report)) {
                open.addAll(next(change, report, joint, scratch));
            }
        }
        return Optional.empty();
    }

    private Change look(Change change) {
        return change.lookedAt(device.checked(change.graph()));
    }

    private static CheckedGraph checked(Change change) {
        return change.looked().orElseThrow().checked();
    }

    /** Tells whether the steps that are left could rewrite all nodes that are refused, one each. */
    private static boolean mayPass(Change change, CheckReport report) {
        long refused = report.nodes().stream().filter(DeviceCheck::isRefused).count();
        return refused <= MOST_STEPS - change.steps().size();
    }

    private static boolean isSmall(Change change, Change start) {
        Change.Looked now = change.looked().orElseThrow();
        Change.Looked before = start.looked().orElseThrow();
        return now.checked().nodes().size() <= before.checked().nodes().size() + MOST_NODES
                && now.multiplyAdds() / MOST_WORK <= Math.max(before.multiplyAdds(), FEW);
    }

    private Optional<Found> repeated(Change start, boolean joint, List<Integer> choices, MadeTensors scratch) {
        Change change = start;
        for (int choice : choices) {
            List<Change> next = next(change, device.verdicts(checked(change)), joint, scratch);
            if (choice >= next.size()) {
                return Optional.empty();
            }
            change = look(next.get(choice));
        }
        return DeviceCheck.passes(checked(change), device.verdicts(checked(change)))
                ? proven(start, change)
                : Optional.empty();
    }

    /** Runs both; a change whose results differ is noted. */
    private Optional<Found> proven(Change start, Change change) {
        // computed now, while what they are computed of is there
        change.graph().constants().values().forEach(Tensor::bytes);
        ResultDifference difference = equality.of(start.graph(), change.graph(), Tolerance.DEFAULT);
        difference.fault().ifPresent(fault -> {
            Node first = start.graph().nodes().get(0);
            String reason = "the results differ: " + fault;
            dropped.put(first.name(), new NetworkFix.Dropped(first.toString(), change.steps(), reason));
        });
        return difference.fault().isPresent() ? Optional.empty() : Optional.of(new Found(change, difference));
    }

    /** All changes that are one step further. */
    private List<Change> next(Change change, CheckReport report, boolean joint, MadeTensors scratch) {
        Region region = new Region(checked(change));
        Optional<CheckedNode> refused = DeviceCheck.firstRefused(report)
                .flatMap(node -> region.node(node.node()))
                .filter(FixSearch::isKnown);
        if (refused.isEmpty()) {
            return List.of();
        }
        Site site = new Site(region, refused.get(), device.checker().operators(), scratch);
        List<Change> all = new ArrayList<>();
        for (Rewrite rewrite : rewrites) {
            if (joint && change.steps().isEmpty() && !rewrite.isJoint()) {
                continue;
            }
            for (Replacement replacement : rewrite.of(site)) {
                all.add(change.then(replacement.within(region), replacement.step(), all.size()));
            }
        }
        return all;
    }

    /** Tells whether all sizes around a node are known. */
    static boolean isKnown(CheckedNode node) {
        return node.outputTypes().stream().allMatch(type -> type.shape().isKnown())
                && node.inputTypes().stream()
                        .allMatch(type -> type == null || type.shape().isKnown());
    }

    /** Equal for regions that the device sees alike. */
    private static Object key(CheckedGraph checked) {
        Map<String, Integer> numbers = new HashMap<>();
        List<Object> key = new ArrayList<>();
        for (CheckedNode node : checked.nodes()) {
            key.add(node.configuration());
            for (String input : node.node().inputs()) {
                TensorType constant = checked.constants().containsKey(input)
                        ? checked.constants().get(input).type()
                        : null;
                key.add(constant == null ? numbers.computeIfAbsent(input, name -> numbers.size()) : constant);
            }
            node.node().outputs().forEach(output -> numbers.computeIfAbsent(output, name -> numbers.size()));
        }
        checked.graph().outputs().forEach(output -> key.add(numbers.getOrDefault(output, -1)));
        return key;
    }
}
