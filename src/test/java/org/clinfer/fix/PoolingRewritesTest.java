package org.clinfer.fix;

import java.util.stream.Stream;
import org.clinfer.ops.CeilMode;

/** Rewrites of maxima and means. */
class PoolingRewritesTest extends RewriteTests {

    static Stream<Case> cases() {
        return Stream.of(
                of(
                        "maximum rounded up",
                        "PoolRoundedDown SplitPool PoolStrideAsSlice",
                        (ops, x) -> ops.maxPool(x)
                                .kernelSize(3, 3)
                                .strides(2, 2)
                                .ceilMode(CeilMode.CEIL)
                                .named("node")
                                .y(),
                        1,
                        3,
                        8,
                        10),
                of(
                        "padded maximum behind a rectifier",
                        "PadBeforeMaximum SplitPool PoolStrideAsSlice",
                        (ops, x) -> ops.maxPool(ops.relu(x))
                                .kernelSize(5, 4)
                                .strides(2, 1)
                                .padding(2, 2, 1, 3)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        10),
                of(
                        "mean over parts",
                        "SplitPool PoolStrideAsSlice MeanAsOther",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(6, 4)
                                .strides(6, 4)
                                .named("node")
                                .y(),
                        1,
                        3,
                        13,
                        12),
                of(
                        "padded mean",
                        "PadBeforeMean MeanAsOther PoolStrideAsSlice",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(3, 3)
                                .strides(2, 2)
                                .padding(1, 1, 1, 1)
                                .countIncludePad(true)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        9),
                of(
                        "padded mean without its padding",
                        "",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(3, 3)
                                .padding(1, 1, 1, 1)
                                .countIncludePad(false)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        9),
                of(
                        "mean of pictures",
                        "MeanAsOther",
                        (ops, x) -> ops.mean(x)
                                .axis(2, 3)
                                .keepDims(false)
                                .named("node")
                                .y(),
                        2,
                        3,
                        6,
                        7),
                of(
                        "mean of channels",
                        "",
                        (ops, x) -> ops.mean(x).axis(1).named("node").y(),
                        2,
                        3,
                        6,
                        7),
                of(
                        "maximum over volumes, rounded up",
                        "VolumePoolAsPictures",
                        (ops, x) -> ops.maxPool(x)
                                .kernelSize(3, 2, 3)
                                .strides(2, 2, 1)
                                .padding(1, 0, 0, 1, 1, 1)
                                .ceilMode(CeilMode.CEIL)
                                .named("node")
                                .y(),
                        1,
                        2,
                        6,
                        8,
                        7),
                of(
                        "mean over volumes without its padding",
                        "VolumePoolAsPictures SplitBatch",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(3, 2, 3)
                                .strides(2, 1, 2)
                                .padding(1, 1, 0, 1, 1, 1)
                                .countIncludePad(false)
                                .named("node")
                                .y(),
                        2,
                        2,
                        6,
                        5,
                        7),
                of(
                        "mean over volumes with its padding",
                        "VolumePoolAsPictures",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(3, 2, 3)
                                .padding(1, 1, 0, 1, 1, 1)
                                .countIncludePad(true)
                                .named("node")
                                .y(),
                        1,
                        2,
                        6,
                        5,
                        7),
                of(
                        "mean over volumes that reaches beyond its padding",
                        "",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(3, 2, 3)
                                .strides(2, 2, 2)
                                .padding(1, 1, 0, 0, 1, 1)
                                .countIncludePad(true)
                                .ceilMode(CeilMode.CEIL)
                                .named("node")
                                .y(),
                        1,
                        2,
                        6,
                        5,
                        8),
                of(
                        "global mean",
                        "MeanAsOther SplitBatch SplitPool",
                        (ops, x) -> ops.avgPool(x).isGlobal(true).named("node").y(),
                        2,
                        3,
                        6,
                        8));
    }
}
