package org.clinfer.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.cli.io.BadFileException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphVerifier;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rule by which weights are made up, and where they go. */
class GeneratedWeightsTest {

    private static final String HEADER = "tensor\tshape\trole\tk\tscale\toffset\n";

    @TempDir
    Path folder;

    @Test
    void sequenceHasThePublishedValues() {
        assertThat(GeneratedWeights.element(1, 0)).isEqualTo(0.7033367780968547, within(1e-15));
        assertThat(GeneratedWeights.element(1, 1)).isEqualTo(0.48297370597720146, within(1e-15));
        assertThat(GeneratedWeights.element(1, 2)).isEqualTo(0.7491674539633095, within(1e-15));
        Tensor input = GeneratedWeights.input(TensorType.of(DType.FLOAT32, 1, 3));
        assertThat(input.toFloatArray()).containsExactly(0.9631847f, -0.31695274f, 0.44745857f);
    }

    private static Graph graph() {
        return new GraphBuilder("net", new SourceRef("net.onnx", ""))
                .input("x", DType.FLOAT32, 2)
                .constant("shape", Tensor.of(new long[] {2}, 1))
                .node("ConstantOfShape", List.of("shape"), List.of("w"), Map.of())
                .node("Add", List.of("x", "w"), List.of("y"), Map.of())
                .output("y")
                .build();
    }

    private Path table(String rows) throws IOException {
        Path table = folder.resolve("net_weights.tsv");
        Files.writeString(table, HEADER + rows);
        return table;
    }

    @Test
    void filledValueBecomesAConstant() throws IOException {
        Graph rewritten = GeneratedWeights.apply(graph(), table("w\t2\tbias\t1\t0.5\t1\n"));

        GraphVerifier.verify(rewritten);
        assertThat(rewritten.nodes()).hasSize(1);
        float[] weights = Objects.requireNonNull(rewritten.constants().get("w")).toFloatArray();
        assertThat(weights[0]).isEqualTo((float) (1 + 0.5 * 0.7033367780968547));
    }

    @Test
    void valueThatIsComputedIsLeftAlone() throws IOException {
        Path table = table("y\t2\tbias\t1\t0.5\t1\n");

        assertThatThrownBy(() -> GeneratedWeights.apply(graph(), table))
                .isInstanceOf(BadFileException.class)
                .hasMessageContaining("'y'");
    }

    @Test
    void brokenTableIsRefusedWithItsLine() throws IOException {
        for (String row : List.of("w\t2\tbias\t1\n", "w\ttwo\tbias\t1\t1\t0\n", "w\t2\tbias\tone\t1\t0\n")) {
            Path table = table(row);
            assertThatThrownBy(() -> GeneratedWeights.apply(graph(), table))
                    .isInstanceOf(BadFileException.class)
                    .hasMessageContaining("line 2");
        }
    }
}
