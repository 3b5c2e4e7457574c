package org.clinfer.cpu.blocked;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;

/**
 * The output channels of a convolution in blocked channels, in the order in which tiles compute them, and its weights in
 * that order: pass by pass, tile by tile, term by term.
 *
 * @param passes all of them, group by group
 * @param terms weights of one output channel; where input channels come in blocks, those that do not exist count
 */
record BlockedPasses(List<BlockedPasses.Pass> passes, int terms, BlockedKernels kernels) {

    private static final int PIXEL = BlockedView.LANES;

    /**
     * Blocks of output channels that are computed together.
     *
     * @param group of channels that they belong to
     * @param block the first
     * @param blocks one, or two
     */
    record Pass(int group, int block, int blocks) {}

    /** The passes over {@code groups} groups of {@code blocks} blocks each. */
    static BlockedPasses of(int groups, int blocks, int terms, BlockedKernels kernels) {
        int most = Math.max(1, kernels.width() / PIXEL);
        List<Pass> passes = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            for (int block = 0; block < blocks; block += most) {
                passes.add(new Pass(group, group * blocks + block, Math.min(most, blocks - block)));
            }
        }
        return new BlockedPasses(passes, terms, kernels);
    }

    /** Passes of one group. */
    int perGroup() {
        int same = 0;
        while (same < passes.size() && passes.get(same).group() == 0) {
            same++;
        }
        return same;
    }

    /** Vectors of a tile of a pass. */
    int vectors(Pass pass) {
        return width(pass) / kernels.lanes();
    }

    /** Channels of a tile of a pass. */
    int width(Pass pass) {
        return Math.min(kernels.width(), pass.blocks * PIXEL);
    }

    /** Tiles beside each other in a pass. */
    int tiles(Pass pass) {
        return pass.blocks * PIXEL / width(pass);
    }

    /** The begin of the weights of a tile. */
    int weight(Pass pass, int tile) {
        return (pass.block * PIXEL + tile * width(pass)) * terms;
    }

    /** The source of weights. */
    @FunctionalInterface
    interface Weights {
        /** The weight of an output channel that exists. */
        float of(int channel, int term);
    }

    /** The source of the weights of whole channels. */
    @FunctionalInterface
    interface Channels {
        /** Puts the weights of an output channel that exists, {@code step} apart from one another, from {@code at} on. */
        void put(int channel, float[] packed, int at, int step);
    }

    /** The weights in this order, with zeros for channels that do not exist. */
    float[] pack(int channels, Weights weights, Parallel parallel) {
        return pack(channels, parallel, (channel, packed, at, step) -> {
            for (int term = 0; term < terms; term++) {
                packed[at + term * step] = weights.of(channel, term);
            }
        });
    }

    /** The same, channel by channel. */
    float[] pack(int channels, Parallel parallel, Channels weights) {
        Pass last = passes.get(passes.size() - 1);
        float[] packed = new float[Math.multiplyExact((last.block + last.blocks) * PIXEL, terms)];
        parallel.forRange(passes.size(), 1, (from, to) -> {
            for (Pass pass : passes.subList(from, to)) {
                int width = width(pass);
                int present = Math.min(pass.blocks * PIXEL, channels - pass.block * PIXEL);
                for (int i = 0; i < present; i++) {
                    weights.put(pass.block * PIXEL + i, packed, weight(pass, i / width) + i % width, width);
                }
            }
        });
        return packed;
    }
}
