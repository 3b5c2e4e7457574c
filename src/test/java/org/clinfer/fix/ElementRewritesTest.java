package org.clinfer.fix;

import java.util.stream.Stream;
import org.clinfer.tensor.Tensor;

/** Rewrites of activations and arithmetic. */
class ElementRewritesTest extends RewriteTests {

    static Stream<Case> cases() {
        return Stream.of(
                of(
                        "Relu",
                        "ActivationAsOther BatchAsChannels SplitBatch",
                        (ops, x) -> ops.relu(x).named("node"),
                        2,
                        3,
                        4,
                        5),
                of(
                        "Relu6",
                        "ActivationAsOther BatchAsChannels",
                        (ops, x) -> ops.relu6(x).named("node"),
                        1,
                        2,
                        3,
                        4,
                        5),
                of(
                        "Clip",
                        "ActivationAsOther",
                        (ops, x) -> ops.clip(x).min(-0.5).max(2).named("node").y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "LeakyRelu",
                        "ActivationAsOther",
                        (ops, x) -> ops.leakyRelu(x).alpha(0.1).named("node").y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "PRelu",
                        "ActivationAsOther",
                        (ops, x) -> ops.pRelu(x, ops.constant("s", random(1, 3, 1, 1)))
                                .named("node")
                                .y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "HardSwish",
                        "ActivationAsOther",
                        (ops, x) -> ops.hardSwish(x).named("node"),
                        1,
                        3,
                        4,
                        5),
                of(
                        "HardSigmoid",
                        "ActivationAsOther",
                        (ops, x) -> ops.hardSigmoid(x)
                                .alpha(0.3)
                                .beta(0.4)
                                .named("node")
                                .y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "Swish",
                        "ActivationAsOther",
                        (ops, x) -> ops.swish(x).alpha(1.7).named("node").y(),
                        1,
                        3,
                        4,
                        5),
                of("Sigmoid", "ActivationAsOther", (ops, x) -> ops.sigmoid(x).named("node"), 1, 3, 4, 5),
                of("Tanh", "ActivationAsOther", (ops, x) -> ops.tanh(x).named("node"), 1, 3, 4, 5),
                of(
                        "Abs",
                        "ArithmeticAsOther BatchAsChannels SplitBatch",
                        (ops, x) -> ops.abs(x).named("node"),
                        3,
                        5),
                of(
                        "square",
                        "ArithmeticAsOther",
                        (ops, x) -> ops.pow(x, ops.constant("two", Tensor.scalar(2f)))
                                .named("node"),
                        3,
                        5),
                of(
                        "difference",
                        "ArithmeticAsOther BatchAsChannels SplitBatch",
                        (ops, x) -> ops.sub(x, ops.relu(x)).named("node"),
                        3,
                        5),
                of(
                        "product with a gate",
                        "BroadcastFirst",
                        (ops, x) ->
                                ops.mul(x, ops.avgPool(x).isGlobal(true).y()).named("node"),
                        1,
                        3,
                        5,
                        4));
    }
}
