package org.clinfer.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.clinfer.costs.CpuWork;
import org.clinfer.costs.MachineCosts;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class HostCostsTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();

    private static final CpuOperators CPU = CpuOperators.builtIn();

    /** Operators of the CPU without a kind of work: a group of nodes with one of them stays on the device. */
    private static final Map<String, String> WITHOUT = without();

    private static Map<String, String> without() {
        Map<String, List<String>> reasons = Map.of(
                "never run, because types decide it", List.of("Shape", "Size"),
                "the layout of a device, whose nodes stay there",
                        List.of(
                                "BlockChannels",
                                "UnblockChannels",
                                "BlockedScale",
                                "BlockedBinary",
                                "BlockedPool",
                                "BlockedGlobalAveragePool",
                                "BlockedResize"),
                "codes of bytes, whose times were not measured",
                        List.of("QuantizeLinear", "DequantizeLinear", "QuantizedAdd", "QuantizedMatMul"),
                "the elements decide how long it takes",
                        List.of(
                                "DetectionOutput",
                                "Proposal",
                                "NonMaxSuppression",
                                "NonZero",
                                "TopK",
                                "GatherElements",
                                "ScatterElements"),
                "the parameters decide which code runs, and times differ by more than 3",
                        List.of("Resize", "Upsample", "DeePhiDownsample", "GridSample", "Lstm", "Gru", "Rnn"),
                "times that are like no other kind's",
                        List.of("Asin", "Acos", "ReduceLogSumExp", "Lrn", "Det", "Col2Im"),
                "windows or regions that were not measured",
                        List.of("RoiPool", "PsRoiPool", "RoiAlign", "MaxPoolIndices", "MaxUnpool"));
        Map<String, String> without = new TreeMap<>();
        reasons.forEach((reason, ops) -> ops.forEach(op -> without.put(op, reason)));
        return without;
    }

    @Test
    void everyOperatorSaysWhatWorkItIsButThese() {
        List<String> silent =
                CPU.names().stream().filter(op -> work(op).isEmpty()).toList();
        assertThat(silent).containsExactlyInAnyOrderElementsOf(WITHOUT.keySet());
    }

    private static Optional<CpuWork> work(String op) {
        return CPU.find(op).orElseThrow().work();
    }

    private static Optional<HostCosts.Estimate> estimate(String op, DType dtype, int inputs) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < inputs; i++) {
            names.add("x" + i);
        }
        Node node = new Node("node", op, names, List.of("y"), Map.of(), new SourceRef("test", ""));
        TensorType type = TensorType.of(dtype, 1, 16, 64, 64);
        CheckedNode checked = CheckedNode.of(
                        new Bindings(), CATALOG.find(op).orElseThrow(), node, name -> ArgValue.of(type))
                .orElseThrow();
        HostCosts costs = new HostCosts(MachineCosts.builtIn().host(), false);
        return work(op).flatMap(work -> costs.of(work, checked, name -> false));
    }

    private static long host(String op) {
        return estimate(op, DType.FLOAT32, 1).orElseThrow().host();
    }

    @Test
    void whatHasNoVectorsTakesLonger() {
        assertThat(host("Relu")).isLessThan(host("Exp"));
        assertThat(host("Exp")).isLessThan(host("Celu"));
        assertThat(host("Celu")).isLessThan(host("Sin"));
        assertThat(host("ReduceSum")).isLessThan(host("ReduceProd"));
        assertThat(host("Flatten")).isEqualTo(host("Relu"));
        assertThat(estimate("Celu", DType.FLOAT32, 1).orElseThrow().kernels())
                .isLessThan(3 * estimate("Relu", DType.FLOAT32, 1).orElseThrow().kernels());
    }

    @Test
    void wholeNumbersAreKnownOfArithmeticAndMovements() {
        assertThat(estimate("Add", DType.INT64, 2).orElseThrow().host())
                .isGreaterThan(estimate("Add", DType.FLOAT32, 2).orElseThrow().host());
        assertThat(estimate("And", DType.BOOL, 2)).isPresent();
        assertThat(estimate("Flatten", DType.INT64, 1)).isPresent();
        assertThat(estimate("Add", DType.FLOAT16, 2)).isEmpty();
        assertThat(estimate("Exp", DType.FLOAT16, 1)).isEmpty();
        assertThat(estimate("Asin", DType.FLOAT32, 1)).isEmpty();
    }
}
