package org.clinfer.costs;

import java.util.EnumMap;
import java.util.Map;
import org.clinfer.files.JsonTree;

/** Reads the file of machine costs. */
final class CostReader {

    private CostReader() {}

    /**
     * The costs of a file.
     *
     * @param file its name for messages
     * @throws IllegalStateException if a figure is missing, of another kind or unknown
     */
    static MachineCosts read(byte[] json, String file) {
        return CostGroup.of(
                JsonTree.read(json),
                file,
                all -> new MachineCosts(
                        all.sourced("host", CostReader::host),
                        all.sourced("threads", CostReader::threads),
                        all.sourced("cpu_device", CostReader::device),
                        all.sourced("gpu_device", CostReader::device),
                        all.sourced("placement", placement -> placement.number("host_share")),
                        all.sourced("layout", CostReader::layout),
                        all.sourced("host_layout", CostReader::layout),
                        all.sourced("transfers", transfers -> transfers.whole("lent_output_bytes")),
                        all.sourced("blocked_convolution", CostReader::blocked),
                        all.sourced("winograd_convolution", CostReader::winograd),
                        all.sourced("tiles", CostReader::tiles)));
    }

    private static MachineCosts.Host host(CostGroup host) {
        Map<CpuLoop, MachineCosts.Loop> loops = new EnumMap<>(CpuLoop.class);
        for (CpuLoop loop : CpuLoop.values()) {
            loops.put(loop, host.group(loop.label() + "_loop", CostReader::loop));
        }
        return new MachineCosts.Host(host.number("plain_factor"), loops);
    }

    private static MachineCosts.Loop loop(CostGroup loop) {
        return new MachineCosts.Loop(
                loop.whole("node_nanos"),
                loop.number("term_nanos"),
                loop.number("byte_nanos"),
                loop.number("kernel_share"));
    }

    private static MachineCosts.Threads threads(CostGroup threads) {
        return new MachineCosts.Threads(threads.whole("wake_nanos"), Math.toIntExact(threads.whole("wake_grains")));
    }

    private static MachineCosts.Device device(CostGroup device) {
        return new MachineCosts.Device(
                device.whole("start_nanos"),
                device.whole("launch_nanos"),
                device.whole("chained_nanos"),
                device.whole("crossing_nanos"),
                device.number("crossing_byte_nanos"),
                device.number("shared_byte_nanos"),
                device.number("work_factor"));
    }

    private static MachineCosts.Layout layout(CostGroup layout) {
        return new MachineCosts.Layout(
                layout.whole("launch_nanos"),
                layout.whole("link_nanos"),
                layout.number("moved_byte_nanos"),
                layout.number("reordered_byte_nanos"),
                layout.number("plain_term_nanos"),
                layout.number("plain_strided_term_nanos"),
                layout.number("plain_grouped_term_nanos"),
                layout.number("blocked_term_nanos"),
                layout.number("few_channels_byte_nanos"),
                layout.number("depthwise_term_nanos"),
                layout.number("any_depthwise_term_nanos"));
    }

    private static MachineCosts.BlockedConvolution blocked(CostGroup blocked) {
        return new MachineCosts.BlockedConvolution(
                blocked.number("cycles_per_nano"),
                blocked.number("copied_pixel_cycles"),
                blocked.number("copied_row_cycles"),
                blocked.number("weight_cycles"),
                blocked.number("unit_cycles"),
                blocked.number("uncached_product_factor"),
                blocked.number("uncached_store_factor"),
                blocked.whole("cached_panel_bytes"),
                blocked.whole("cached_sum_bytes"));
    }

    private static MachineCosts.WinogradConvolution winograd(CostGroup winograd) {
        return new MachineCosts.WinogradConvolution(
                winograd.number("transformed_pixel_cycles"),
                winograd.number("weight_cycles"),
                winograd.number("far_pixel_cycles"),
                winograd.number("unit_cycles"),
                winograd.whole("cached_pixels"),
                winograd.number("transform_products"),
                winograd.whole("weight_products"),
                winograd.number("gain_factor"));
    }

    private static MachineCosts.Tiles tiles(CostGroup tiles) {
        return new MachineCosts.Tiles(
                tiles.wholes("sizes"),
                tiles.wholes("convolution_work"),
                tiles.wholes("product_work"),
                tiles.wholes("local_reads"),
                tiles.wholes("registers"),
                tiles.whole("byte_operations"),
                tiles.whole("launch_operations"),
                tiles.whole("split_multiply_adds"),
                tiles.whole("split_element_multiply_adds"));
    }
}
