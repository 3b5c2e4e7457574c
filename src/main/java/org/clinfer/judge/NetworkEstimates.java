package org.clinfer.judge;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import org.clinfer.check.CheckReport;
import org.clinfer.check.NetworkCost;
import org.clinfer.profile.CostFigure;
import org.clinfer.profile.CostModel;
import org.clinfer.profile.DeviceProfile;

/**
 * The times of a network on one device, by the figures of the whole device. Weights stay on it between runs as far as they
 * have room there, those of the first nodes first.
 */
final class NetworkEstimates {

    private static final double MILLIS = 1e3;

    private final CostModel model;
    private final DeviceProfile profile;
    private final ValuesOnDevice values;
    private final Function<CheckReport.NodeReport, Optional<NodeEstimates.Known>> facts;
    private final Optional<Map<String, NetworkCost.Estimate>> planned;
    private final OptionalDouble linkBytesPerSecond;
    private final OptionalDouble hostMultiplyAddsPerSecond;
    private final OptionalDouble hostBytesPerSecond;
    private long room;

    /**
     * @param facts bytes and time of a node; empty where sizes are not known
     */
    NetworkEstimates(
            CostModel model,
            DeviceProfile profile,
            ValuesOnDevice values,
            Function<CheckReport.NodeReport, Optional<NodeEstimates.Known>> facts) {
        this(model, profile, values, facts, Optional.empty());
    }

    private NetworkEstimates(
            CostModel model,
            DeviceProfile profile,
            ValuesOnDevice values,
            Function<CheckReport.NodeReport, Optional<NodeEstimates.Known>> facts,
            Optional<Map<String, NetworkCost.Estimate>> planned) {
        this.planned = planned;
        this.model = model;
        this.profile = profile;
        this.values = values;
        this.facts = facts;
        this.linkBytesPerSecond = model.figure(CostFigure.LINK_BYTES_PER_SECOND, profile);
        this.hostMultiplyAddsPerSecond = model.figure(CostFigure.HOST_MULTIPLY_ADDS_PER_SECOND, profile);
        this.hostBytesPerSecond = model.figure(CostFigure.HOST_BYTES_PER_SECOND, profile);
        this.room =
                (long) model.figure(CostFigure.RESIDENT_WEIGHT_BYTES, profile).orElse(Long.MAX_VALUE);
    }

    /** The times of nodes that were planned, by name; values have the types of the network. */
    static NetworkEstimates planned(
            CostModel model, DeviceProfile profile, Map<String, NetworkCost.Estimate> estimates) {
        return new NetworkEstimates(
                model, profile, ValuesOnDevice.inOwnTypes(profile), node -> Optional.empty(), Optional.of(estimates));
    }

    ValuesOnDevice values() {
        return values;
    }

    CostModel model() {
        return model;
    }

    Optional<NodeEstimates.Known> of(CheckReport.NodeReport node) {
        return facts.apply(node);
    }

    /**
     * The time on the device of the next node that runs there; empty where it is not known, or the weights have no room and
     * the link is not known.
     */
    Optional<NetworkCost.Estimate> onDevice(CheckReport.NodeReport node, Optional<NodeEstimates.Known> known) {
        return planned.map(estimates -> Optional.ofNullable(estimates.get(node.node())))
                .orElseGet(() -> known.flatMap(NodeEstimates.Known::time).flatMap(this::onDevice));
    }

    private Optional<NetworkCost.Estimate> onDevice(CostModel.DeviceTime time) {
        long staying = Math.min(room, time.weightBytes());
        long streamed = time.weightBytes() - staying;
        room -= staying;
        if (streamed > 0 && linkBytesPerSecond.isEmpty()) {
            return Optional.empty();
        }
        double streaming = streamed > 0 ? streamed / linkBytesPerSecond.getAsDouble() : 0;
        return Optional.of(NetworkCost.Estimate.of(
                time.computeSeconds() * MILLIS,
                (time.memorySeconds() + streaming) * MILLIS,
                time.overheadSeconds() * MILLIS));
    }

    /** Milliseconds of a node on the host; empty where they are not known. */
    OptionalDouble onHost(CheckReport.NodeReport node, NodeBytes bytes) {
        OptionalLong products = node.work().multiplyAdds();
        if (products.isPresent() && products.getAsLong() > 0) {
            return per(products, hostMultiplyAddsPerSecond);
        }
        return products.isPresent()
                        && bytes.read().isPresent()
                        && bytes.written().isPresent()
                ? per(OptionalLong.of(bytes.read().getAsLong() + bytes.written().getAsLong()), hostBytesPerSecond)
                : OptionalDouble.empty();
    }

    private static OptionalDouble per(OptionalLong amount, OptionalDouble inSecond) {
        return amount.isPresent() && inSecond.isPresent()
                ? OptionalDouble.of(amount.getAsLong() / inSecond.getAsDouble() * MILLIS)
                : OptionalDouble.empty();
    }

    /** Milliseconds of so many bytes between device and host. */
    OptionalDouble crossing(OptionalLong bytes) {
        return per(bytes, linkBytesPerSecond);
    }

    /** Seconds of the start of a partition; 0 where the family has no formula for it. */
    OptionalDouble startSeconds() {
        return model.figures().containsKey(CostFigure.START_SECONDS)
                ? model.figure(CostFigure.START_SECONDS, profile)
                : OptionalDouble.of(0);
    }
}
