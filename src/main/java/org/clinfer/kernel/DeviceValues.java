package org.clinfer.kernel;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.costs.MachineCosts;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.GpuFigures;
import org.clinfer.expr.ExpressionValue;
import org.jspecify.annotations.Nullable;

/** Device facts as the name {@code device} of the expression language; those asked for last are kept. Thread-safe. */
final class DeviceValues {

    private record Known(DeviceFacts facts, ExpressionValue value) {}

    private volatile @Nullable Known latest;

    ExpressionValue of(DeviceFacts facts) {
        Known known = latest;
        if (known == null || !known.facts().equals(facts)) {
            known = new Known(facts, made(facts));
            latest = known;
        }
        return known.value();
    }

    /** The kind of device as descriptions write it. */
    static String kind(DeviceFacts facts) {
        return facts.kind().name().toLowerCase(Locale.ROOT);
    }

    private static ExpressionValue made(DeviceFacts facts) {
        Map<String, ExpressionValue> fields = new HashMap<>();
        facts.limits().forEach((name, limit) -> fields.put(name, ExpressionValue.of(limit)));
        fields.put("kind", ExpressionValue.of(kind(facts)));
        fields.put("register_lanes", ExpressionValue.of(facts.registerLanes()));
        fields.put("exact", ExpressionValue.of(facts.exact()));
        fields.put("tf32", ExpressionValue.of(facts.tf32()));
        fields.put("matrix_units", ExpressionValue.of(facts.matrixUnits().name().toLowerCase(Locale.ROOT)));
        fields.put("name", ExpressionValue.of(facts.name()));
        fields.put("vendor", ExpressionValue.of(facts.vendor()));
        groupUnits(facts).ifPresent(units -> fields.put("group_units", ExpressionValue.of(units)));
        fields.put("costs", costs(MachineCosts.builtIn(), facts.figures()));
        fields.put(
                "extensions",
                ExpressionValue.texts(facts.extensions().stream().sorted().toList()));
        return new ExpressionValue.Fields("device", fields);
    }

    /**
     * The units that run work-groups: the compute units that OpenCL counts, but with Intel, which counts vector engines,
     * several of which run a group together.
     */
    private static OptionalLong groupUnits(DeviceFacts facts) {
        if (facts.figures().isPresent()) {
            return OptionalLong.of(facts.figures().get().units());
        }
        long subslices = facts.limit("num_slices_intel", 0) * facts.limit("num_sub_slices_per_slice_intel", 0);
        long units = subslices > 0 ? subslices : facts.limit("max_compute_units", 0);
        return units > 0 ? OptionalLong.of(units) : OptionalLong.empty();
    }

    /** The costs by which variants of convolutions and products are chosen. */
    private static ExpressionValue costs(MachineCosts costs, Optional<GpuFigures> figures) {
        MachineCosts.Tiles tiles =
                figures.map(gpu -> TileCosts.of(costs.tiles(), gpu)).orElseGet(costs::tiles);
        MachineCosts.WinogradConvolution winograd = costs.winogradConvolution();
        Map<String, ExpressionValue> fields = Map.of(
                "tile_sizes", ints(tiles.sizes()),
                "convolution_work", ints(tiles.convolutionWork()),
                "product_work", ints(tiles.productWork()),
                "byte_operations", ExpressionValue.of(tiles.byteOperations()),
                "launch_operations", ExpressionValue.of(tiles.launchOperations()),
                "split_multiply_adds", ExpressionValue.of(tiles.splitMultiplyAdds()),
                "split_element_multiply_adds", ExpressionValue.of(tiles.splitElementMultiplyAdds()),
                "transform_products", ExpressionValue.of(winograd.transformProducts()),
                "weight_products", ExpressionValue.of(winograd.weightProducts()),
                "gain_factor", ExpressionValue.of(winograd.gainFactor()));
        return new ExpressionValue.Fields("device.costs", fields);
    }

    private static ExpressionValue ints(List<Long> values) {
        return ExpressionValue.ints(values.stream().mapToLong(Long::longValue).toArray());
    }
}
