package org.clinfer.costs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The costs of work on a machine. Durations are in nanoseconds or in cycles of a core, sizes in bytes, as the names in {@code
 * machine.json} say, which also says where each figure comes from.
 *
 * @param host the CPU path
 * @param threads its threads
 * @param cpuDevice OpenCL CPU devices
 * @param gpuDevice GPUs and all other devices
 * @param hostShare a group of nodes leaves the device if the CPU path takes no more than this share of its time
 * @param layout blocked channels on an OpenCL CPU device
 * @param hostLayout the same on the CPU path
 * @param lentOutputBytes the size from which on an output lies in memory that the device shares with the host
 * @param blockedConvolution the division of convolutions in blocked channels among threads
 * @param winogradConvolution the same of those by Winograd's minimal filtering, and when these are chosen
 * @param tiles register tiles of GPU kernels
 */
public record MachineCosts(
        Host host,
        Threads threads,
        Device cpuDevice,
        Device gpuDevice,
        double hostShare,
        Layout layout,
        Layout hostLayout,
        long lentOutputBytes,
        BlockedConvolution blockedConvolution,
        WinogradConvolution winogradConvolution,
        Tiles tiles) {

    private static final String FILE = "machine.json";

    /**
     * The CPU path.
     *
     * @param plainFactor how many times longer it takes in plain Java than in vectors
     * @param loops the costs of every loop
     */
    public record Host(double plainFactor, Map<CpuLoop, Loop> loops) {
        public Host {
            loops = Map.copyOf(loops);
        }
    }

    /**
     * A loop of the CPU path.
     *
     * @param nodeNanos for every node, beside its loop
     * @param termNanos for one multiply-add, or element that is folded
     * @param byteNanos for one byte that is read or written
     * @param kernelShare the share of the latter two that kernels on the same processor take
     */
    public record Loop(long nodeNanos, double termNanos, double byteNanos, double kernelShare) {}

    /**
     * Work that is left from which on it pays to wake a thread.
     *
     * @param wakeNanos where it is known how long it takes
     * @param wakeGrains pieces, where it is not
     */
    public record Threads(long wakeNanos, int wakeGrains) {}

    /**
     * A device beside its computing.
     *
     * @param startNanos from the host's first command until the device computes, and from its end until the host goes on
     * @param launchNanos one more kernel after the first, launched by itself
     * @param chainedNanos one more kernel in the same launch
     * @param crossingNanos one value that goes from the host to the device or back
     * @param crossingByteNanos each of its bytes
     * @param sharedByteNanos the same where the device shares the host's memory
     * @param workFactor how much of the time that kernels take on a processor its kernels take
     */
    public record Device(
            long startNanos,
            long launchNanos,
            long chainedNanos,
            long crossingNanos,
            double crossingByteNanos,
            double sharedByteNanos,
            double workFactor) {}

    /**
     * Blocked channels on a processor. Terms are multiply-adds.
     *
     * @param launchNanos what a launch by itself takes more than one among many in a chain
     * @param linkNanos one more operator in a chain, with reading and writing its first lines
     * @param movedByteNanos what an operator that mainly moves data gains in blocks for each byte of its result
     * @param reorderedByteNanos to read and write a byte once more
     * @param plainTermNanos a term of a convolution without blocks
     * @param plainStridedTermNanos the same where strided windows overlap, so that the input is copied first
     * @param plainGroupedTermNanos the same in several groups, whose loops are short
     * @param blockedTermNanos a term in blocks, those of lanes without a channel included
     * @param fewChannelsByteNanos without blocks, to store a byte of sums of so few terms that stores bind them
     * @param depthwiseTermNanos what blocks gain for a term of single channels
     * @param anyDepthwiseTermNanos the same with windows for which planes have no loops of their own
     */
    public record Layout(
            long launchNanos,
            long linkNanos,
            double movedByteNanos,
            double reorderedByteNanos,
            double plainTermNanos,
            double plainStridedTermNanos,
            double plainGroupedTermNanos,
            double blockedTermNanos,
            double fewChannelsByteNanos,
            double depthwiseTermNanos,
            double anyDepthwiseTermNanos) {}

    /**
     * Convolutions in blocked channels on the CPU path. A pixel has 16 channels.
     *
     * @param cyclesPerNano of a core
     * @param copiedPixelCycles to copy a pixel into the panel, or to store one
     * @param copiedRowCycles to copy a row, beside its pixels
     * @param weightCycles to bring in a vector of weights while others are multiplied
     * @param unitCycles for a unit of work that a thread takes
     * @param uncachedProductFactor how much longer products take that a core's own cache does not hold
     * @param uncachedStoreFactor how much longer stores take of sums that the first level does not hold
     * @param cachedPanelBytes bytes of a core's own cache that panels may take
     * @param cachedSumBytes bytes of the first level that sums may take
     */
    public record BlockedConvolution(
            double cyclesPerNano,
            double copiedPixelCycles,
            double copiedRowCycles,
            double weightCycles,
            double unitCycles,
            double uncachedProductFactor,
            double uncachedStoreFactor,
            long cachedPanelBytes,
            long cachedSumBytes) {}

    /**
     * Convolutions by Winograd's minimal filtering, in blocked channels.
     *
     * @param transformedPixelCycles to transform a pixel
     * @param weightCycles to bring in one pixel of a weight
     * @param farPixelCycles to bring in one from beyond a core's own cache
     * @param unitCycles for a unit of work that a thread takes
     * @param cachedPixels transformed inputs and sums that a core's own cache holds
     * @param transformProducts products for which the transform of a block takes as long, for each position and tile
     * @param weightProducts products for which a weight takes as long, which comes from memory
     * @param gainFactor the factor by which the products have to be fewer
     */
    public record WinogradConvolution(
            double transformedPixelCycles,
            double weightCycles,
            double farPixelCycles,
            double unitCycles,
            long cachedPixels,
            double transformProducts,
            long weightProducts,
            double gainFactor) {}

    /**
     * Register tiles of GPU kernels, and what is weighed against them.
     *
     * @param sizes rows of each tile
     * @param convolutionWork what a compute unit is busy with for 16 multiply-adds of a convolution, by tile
     * @param productWork the same for products of matrices
     * @param localReads elements that a work-item reads from local memory for 16 multiply-adds, by tile
     * @param registers registers of a work-item of a convolution, by tile
     * @param byteOperations operations of float32 for which a byte that is moved takes as long
     * @param launchOperations the same of a launch, on each compute unit
     * @param splitMultiplyAdds multiply-adds of a compute unit for which the launch takes as long that adds parts of sums
     * @param splitElementMultiplyAdds multiply-adds of all compute units for which an element of a part takes as long
     */
    public record Tiles(
            List<Long> sizes,
            List<Long> convolutionWork,
            List<Long> productWork,
            List<Long> localReads,
            List<Long> registers,
            long byteOperations,
            long launchOperations,
            long splitMultiplyAdds,
            long splitElementMultiplyAdds) {
        public Tiles {
            sizes = List.copyOf(sizes);
            convolutionWork = List.copyOf(convolutionWork);
            productWork = List.copyOf(productWork);
            localReads = List.copyOf(localReads);
            registers = List.copyOf(registers);
        }
    }

    /** Read when it is first asked for. */
    private static final class BuiltIn {
        static final MachineCosts COSTS = read();

        private static MachineCosts read() {
            try (InputStream stream = MachineCosts.class.getResourceAsStream(FILE)) {
                if (stream == null) {
                    throw new IllegalStateException(FILE + " is missing");
                }
                return CostReader.read(stream.readAllBytes(), FILE);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }

    /** The costs that come with the product. */
    public static MachineCosts builtIn() {
        return BuiltIn.COSTS;
    }
}
