package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.kernel.OperatorUse;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Which steps become one launch; every step here is a matrix product of 64 multiplications. */
class ChainingTest {

    private static final long WORK = 64;
    private static final Step UPLOAD = new Step.Upload("x");

    private final CheckedNode product = product();

    private static CheckedNode product() {
        GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", ""))
                .input("a", DType.FLOAT32, 4, 4)
                .constant("b", Tensor.allocate(DType.FLOAT32, 4, 4))
                .node("MatMul", List.of("a", "b"), List.of("y"), Map.of())
                .output("y");
        CheckedGraph checked = Checker.check(
                new CheckRequest(
                        builder.build(),
                        Map.of("a", Tensor.allocate(DType.FLOAT32, 4, 4).type())),
                OpCatalog.builtIn(),
                ConstantEvaluator.NONE);
        return checked.nodes().get(0);
    }

    /** A node with a kernel for each letter; capital letters cannot be in chains. */
    private Step.Launch node(String kernels, boolean done) {
        List<KernelLaunch> launches = new ArrayList<>();
        for (int i = 0; i < kernels.length(); i++) {
            launches.add(
                    new KernelLaunch("a.cl", kernels.substring(i, i + 1), "", Map.of(), i, List.of(1L), List.of()));
        }
        OperatorUse use = new OperatorUse(product.binding().scope(), List.of(true, true), 1);
        PlacedNode placed = new PlacedNode(
                product.node(),
                product,
                use,
                PlacedNode.Target.DEVICE,
                Optional.empty(),
                Optional.of(new KernelPlan(List.of(), List.of(), launches, List.of())),
                List.of());
        return new Step.Launch(placed, Set.of(), done);
    }

    private Step.Launch node(String kernels) {
        return node(kernels, false);
    }

    /** Kernels of steps, those of a chain in brackets. */
    private static String told(int launches, long work, Step... steps) {
        Chaining chaining =
                new Chaining(launch -> Character.isLowerCase(launch.entry().charAt(0)), launches, work);
        StringBuilder told = new StringBuilder();
        for (Step step : chaining.chained(List.of(steps), value -> false)) {
            if (step instanceof Step.Chain chain) {
                told.append('[');
                chain.nodes().forEach(node -> told.append(kernels(node)).append(' '));
                told.setCharAt(told.length() - 1, ']');
            } else {
                told.append(step instanceof Step.Launch launch ? kernels(launch) : "-");
            }
            told.append(' ');
        }
        return told.toString().strip();
    }

    private static String kernels(Step.Launch launch) {
        StringBuilder entries = new StringBuilder();
        launch.kernels().forEach(kernel -> entries.append(kernel.entry()));
        return entries.isEmpty() ? "." : entries.toString();
    }

    @Test
    void launchesThatFollowOneAnotherBecomeOne() {
        assertThat(told(100, 1000 * WORK, node("a"), node("bc"), node("d"))).isEqualTo("[a bc d]");
        assertThat(told(100, 1000 * WORK, node("a"), UPLOAD, node("b"), node("c")))
                .isEqualTo("a - [b c]");
        assertThat(told(100, 1000 * WORK, node("a"), node("b"), node("X"), node("c"), node("dY"), node("e")))
                .isEqualTo("[a b] X c dY e");
    }

    /** What has memory of its own is there before the chain begins. */
    @Test
    void lentValuesDoNotSeparate() {
        Chaining chaining = new Chaining(launch -> true, 100, 1000 * WORK);
        List<Step> steps = List.of(node("a"), new Step.Upload("lent"), node("b"), new Step.Upload("sent"), node("c"));
        List<Step> chained = chaining.chained(steps, "lent"::equals);
        assertThat(chained).hasSize(4);
        assertThat(chained.get(0)).isEqualTo(new Step.Upload("lent"));
        assertThat(chained.get(1)).isInstanceOf(Step.Chain.class);
        assertThat(chained.get(2)).isEqualTo(new Step.Upload("sent"));
    }

    @Test
    void oneLaunchIsNoChain() {
        assertThat(told(100, 1000 * WORK, node("a"))).isEqualTo("a");
        assertThat(told(100, 1000 * WORK, node("ab"))).isEqualTo("[ab]");
        assertThat(told(100, 1000 * WORK)).isEmpty();
    }

    @Test
    void whatLaunchesNothingDoesNotSeparate() {
        assertThat(told(100, 1000 * WORK, node("a"), node("B", true), node(""), node("b")))
                .isEqualTo("[a . . b]");
        assertThat(told(100, 1000 * WORK, node(""), node("a"), node(""))).isEqualTo(". a .");
    }

    @Test
    void kernelsWhoseTensorIsInPlaceDoNotCount() {
        Step.Launch launch = node("aB");
        Step.Launch inPlace = new Step.Launch(launch.node(), Set.of(1), false);
        assertThat(told(100, 1000 * WORK, inPlace, node("c"))).isEqualTo("[a c]");
        assertThat(told(100, 1000 * WORK, launch, node("c"))).isEqualTo("aB c");
    }

    @Test
    void chainsHaveBounds() {
        assertThat(told(2, 1000 * WORK, node("a"), node("b"), node("c"), node("de"), node("f")))
                .isEqualTo("[a b] c [de] f");
        assertThat(told(100, 2 * WORK, node("a"), node("b"), node("c"), node("d"), node("e")))
                .isEqualTo("[a b] [c d] e");
        assertThat(told(100, WORK - 1, node("a"), node("bc"), node("d"))).isEqualTo("a [bc] d");
        assertThat(told(1, 1000 * WORK, node("ab"), node("c"))).isEqualTo("[ab] c");
    }

    @Test
    void noneLeavesEverything() {
        List<Step> steps = List.of(node("a"), node("b"));
        assertThat(Chaining.NONE.chained(steps, value -> false)).isEqualTo(steps);
    }
}
