package org.clinfer.fix;

import java.util.stream.Stream;
import org.clinfer.ops.ResizeOp;
import org.clinfer.ops.UpsampleOp;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Rewrites of products, movements, normalizations and resizing. */
class MovementRewritesTest extends RewriteTests {

    static Stream<Case> cases() {
        return Stream.of(
                of(
                        "matrix",
                        "ProductAsOther ProductAsConvolution",
                        (ops, x) -> ops.gemm(x, ops.constant("w", random(1, 5, 7)))
                                .c(ops.constant("c", random(2, 5)))
                                .transposeB(true)
                                .named("node")
                                .y(),
                        3,
                        7),
                of(
                        "flattened pictures",
                        "FlattenIntoConvolution ProductAsOther ProductAsConvolution",
                        (ops, x) -> ops.gemm(ops.flatten(x).y(), ops.constant("w", random(1, 24, 5)))
                                .c(ops.constant("c", random(2, 5)))
                                .named("node")
                                .y(),
                        2,
                        2,
                        3,
                        4),
                of(
                        "product of many rows",
                        "ProductAsOther ProductAsConvolution",
                        (ops, x) -> ops.matMul(x, ops.constant("w", random(1, 7, 4)))
                                .named("node"),
                        2,
                        3,
                        7),
                of(
                        "Softmax",
                        "SoftmaxOverLast",
                        (ops, x) -> ops.softmax(x).axis(2).named("node").y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "transpose of single rows",
                        "MoveAsOther",
                        (ops, x) ->
                                ops.transpose(x).perm(0, 2, 1, 3).named("node").y(),
                        2,
                        1,
                        4,
                        5),
                of(
                        "transpose",
                        "",
                        (ops, x) ->
                                ops.transpose(x).perm(0, 2, 1, 3).named("node").y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "channels in another order",
                        "MovesAsOne",
                        (ops, x) -> ops.reshape(
                                        ops.transpose(ops.reshape(x, 2, 2, 3, 4, 5)
                                                        .named("node")
                                                        .y())
                                                .perm(0, 2, 1, 3, 4)
                                                .y(),
                                        2,
                                        6,
                                        4,
                                        5)
                                .y(),
                        2,
                        6,
                        4,
                        5),
                of(
                        "every second channel",
                        "MovesAsOne MoveAsOther",
                        (ops, x) -> ops.gather(
                                        ops.transpose(ops.reshape(x, 1, 3, 2, 4, 5)
                                                        .y())
                                                .perm(2, 0, 1, 3, 4)
                                                .y(),
                                        ops.constant("i", Tensor.scalar(1L)))
                                .axis(0)
                                .named("node")
                                .y(),
                        1,
                        6,
                        4,
                        5),
                of(
                        "depth to space",
                        "MovesAsOne",
                        (ops, x) -> ops.reshape(
                                        ops.transpose(ops.reshape(x, 1, 3, 2, 2, 4, 5)
                                                        .y())
                                                .perm(0, 1, 4, 2, 5, 3)
                                                .named("node")
                                                .y(),
                                        1,
                                        3,
                                        8,
                                        10)
                                .y(),
                        1,
                        12,
                        4,
                        5),
                of(
                        "slice in steps",
                        "MoveAsOther",
                        (ops, x) -> ops.slice(x, new long[] {1, 2}, 8, 9)
                                .axes(2, 3)
                                .steps(2, 3)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        10),
                of(
                        "one row of many",
                        "MoveAsOther",
                        (ops, x) -> ops.gather(x, ops.constant("i", Tensor.scalar(2L)))
                                .axis(1)
                                .named("node")
                                .y(),
                        2,
                        4,
                        5),
                of(
                        "repeated elements",
                        "MoveAsOther",
                        (ops, x) -> ops.upsample(x)
                                .scale(2, 2)
                                .mode(UpsampleOp.Mode.NEAREST)
                                .named("node")
                                .y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "normalization of each channel",
                        "NormalizationAsSteps",
                        (ops, x) -> ops.instanceNorm(
                                        x, ops.constant("s", positive(1, 3)), ops.constant("b", random(2, 3)))
                                .epsilon(1e-3)
                                .named("node")
                                .y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "normalization by what is not known",
                        "",
                        (ops, x) -> ops.instanceNorm(
                                        x,
                                        ops.constant("s", positive(1, 3)),
                                        ops.input("b", TensorType.of(DType.FLOAT32, 3)))
                                .named("node")
                                .y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "bilinear, twice and three times",
                        "BilinearAsConvolution",
                        (ops, x) -> ops.resize(x)
                                .scales(1, 1, 2, 3)
                                .mode(ResizeOp.Mode.LINEAR)
                                .named("node")
                                .y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "bilinear, four times and once, to a size",
                        "BilinearAsConvolution",
                        (ops, x) -> ops.resize(x)
                                .sizes(1, 2, 12, 4)
                                .mode(ResizeOp.Mode.LINEAR)
                                .named("node")
                                .y(),
                        1,
                        2,
                        3,
                        4),
                of(
                        "bilinear between corners",
                        "",
                        (ops, x) -> ops.resize(x)
                                .scales(1, 1, 2, 2)
                                .mode(ResizeOp.Mode.LINEAR)
                                .coordinateMode(ResizeOp.CoordinateMode.ALIGN_CORNERS)
                                .named("node")
                                .y(),
                        1,
                        2,
                        3,
                        4));
    }
}
