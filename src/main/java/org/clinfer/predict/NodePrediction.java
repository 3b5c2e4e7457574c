package org.clinfer.predict;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.place.PlacedNode;

/**
 * The predicted time of the launches of a node, or of several nodes.
 *
 * @param launches in their order; none for a view
 */
public record NodePrediction(List<PredictedLaunch> launches) {

    public NodePrediction {
        launches = List.copyOf(launches);
    }

    /** Seconds of all launches. */
    public double seconds() {
        return times().mapToDouble(LaunchTime::seconds).sum();
    }

    /** Seconds in which the units are busy. */
    public double computeSeconds() {
        return times().mapToDouble(LaunchTime::computeSeconds).sum();
    }

    /** Seconds of the bytes of the device's memory. */
    public double memorySeconds() {
        return times().mapToDouble(LaunchTime::memorySeconds).sum();
    }

    /** Seconds of the launches themselves. */
    public double launchSeconds() {
        return times().mapToDouble(LaunchTime::launchSeconds).sum();
    }

    /** The part that takes most of the time; empty where nothing is launched. */
    public Optional<LaunchTime.Part> bound() {
        Map<LaunchTime.Part, Double> seconds = new EnumMap<>(LaunchTime.Part.class);
        times().forEach(time -> seconds.merge(time.bound(), time.seconds(), Double::sum));
        return seconds.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /** The variant of a node with the tile that it computes, as {@code groups 64x64, 2 launches}. */
    public String variant(PlacedNode node) {
        String tile = launches.stream()
                .flatMap(launch -> launch.work().tile().stream())
                .max(Comparator.comparingLong(RegisterTile::elements))
                .map(found -> " " + found)
                .orElse("");
        String several = launches.size() < 2 ? "" : ", " + launches.size() + " launches";
        return node.kernel() + tile + several;
    }

    private Stream<LaunchTime> times() {
        return launches.stream().map(PredictedLaunch::time);
    }

    /** The predictions of all nodes that launch something, by the name of the node of the network. */
    public static Map<String, NodePrediction> byNode(List<PredictedLaunch> launches) {
        return launches.stream()
                .collect(Collectors.groupingBy(
                        launch -> launch.node().written().name(),
                        Collectors.collectingAndThen(Collectors.toList(), NodePrediction::new)));
    }
}
