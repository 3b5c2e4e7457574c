package org.clinfer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.costs.CpuWork;
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
import org.junit.jupiter.api.io.TempDir;

class HostOperatorsTest {

    /** A rectifier by expressions, of float32 alone. */
    private static final String BY_EXPRESSIONS = """
            {"ops": [
              {"optype": "Relu_elements", "author": "me", "arch": "cpu", "inherits": "Relu", "variant": "elements",
               "tensors_in": [{"arg_name": "x", "dtype": ["float32"]}],
               "run": [{"tensor": "y", "value": "max(element(x, at), 0)"}]}]}
            """;

    @TempDir
    private Path folder;

    private static Optional<CpuWork> work(OpCatalog catalog, DType dtype) {
        Node node = new Node("node", "Relu", List.of("x"), List.of("y"), Map.of(), new SourceRef("test", ""));
        CheckedNode checked = CheckedNode.of(
                        new Bindings(),
                        catalog.find("Relu").orElseThrow(),
                        node,
                        name -> ArgValue.of(TensorType.of(dtype, 2, 3)))
                .orElseThrow();
        return new HostOperators(catalog, CpuOperators.builtIn()).work(checked);
    }

    @Test
    void whatExpressionsComputeTakesATimeThatIsNotKnown() throws IOException {
        Files.writeString(folder.resolve("relu.json"), BY_EXPRESSIONS);
        OpCatalog described = OpCatalog.builtIn().with(folder);
        assertThat(work(OpCatalog.builtIn(), DType.FLOAT32)).contains(CpuWork.ARITHMETIC);
        assertThat(work(described, DType.FLOAT32)).isEmpty();
        assertThat(work(described, DType.INT8)).contains(CpuWork.ARITHMETIC);
    }
}
