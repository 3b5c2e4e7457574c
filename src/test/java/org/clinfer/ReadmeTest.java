package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.ops.PadMode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** The README's Java compiles, runs, and is what stands here between the marks. */
class ReadmeTest {

    private static final Path HERE = Path.of("src/test/java/org/clinfer/ReadmeTest.java");

    @Test
    void aGraphBuiltInJavaRuns() {
        float[] ones = new float[16];
        Arrays.fill(ones, 1);
        Tensor kernel = Tensor.of(new float[] {0, 1, 0, 1, -4, 1, 0, 1, 0}, 1, 1, 3, 3);
        Tensor picture = Tensor.of(ones, 1, 1, 4, 4);
        // README
        Ops ops = Ops.graph("edges");
        Edge image = ops.input("image", TensorType.of(DType.FLOAT32, 1, 1, 4, 4));
        Edge filtered = ops.conv2d(image, ops.constant("kernel", kernel))
                .padMode(PadMode.SAME)
                .named("laplace")
                .y();
        ops.output("edges", ops.abs(filtered));

        try (Engine engine = Engine.open(EngineOptions.defaults());
                Model model = engine.load(ops.build());
                Session session = model.session();
                Result result = session.run(Map.of("image", picture))) {
            float[] edges = result.get("edges").toFloatArray();
            // end
            assertThat(edges).containsExactly(2, 1, 1, 2, 1, 0, 0, 1, 1, 0, 0, 1, 2, 1, 1, 2);
        }
        kernel.close();
        picture.close();
    }

    @Test
    void theReadmeShowsThisCode() throws IOException {
        String code = Files.readString(HERE).split("// README\n", -1)[1].split(" *// end\n", -1)[0];
        assertThat(Files.readString(Path.of("README.md"))).contains(code.indent(-8));
    }

    @Test
    void documentsAndExamplesNameTheVersionOfThisBuild() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        String version = pom.split("<version>", 2)[1].split("</version>", 2)[0];
        assertThat(Files.readString(Path.of("README.md"))).contains("`org.clinfer:clinfer:" + version + "`");
        assertThat(Files.readString(Path.of("docs/api.md"))).contains("<version>" + version + "</version>");
        assertThat(Files.readString(Path.of("examples/micrometer/pom.xml")))
                .contains("<clinfer.version>" + version + "</clinfer.version>");
    }
}
