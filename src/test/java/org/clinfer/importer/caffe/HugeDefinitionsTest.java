package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Importers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Definitions without weights that name sizes beyond any memory, or none. */
class HugeDefinitionsTest {

    @TempDir
    Path folder;

    /** None of them is more than a definition, which must not take the memory that it names. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Convolution|convolution_param { num_output: 3 kernel_size: 3 bias_filler { type: 'bilinear' } }|four axes",
                "Convolution|convolution_param { num_output: 3 kernel_h: 3 }|kernel_size",
                "InnerProduct|inner_product_param { num_output: 1000000000 bias_filler { type: 'constant' } }|",
                "Deconvolution|convolution_param { num_output: 100000 kernel_size: 64 weight_filler { type: 'bilinear' } }|"
            })
    void hugeAndWrongFillers(String type, String params, String refusal) throws IOException {
        Path file = CaffeNet.input(1, 1, 5, 5).layer(type, params).write(folder, "net");
        if (refusal == null) {
            assertThat(Importers.builtIn().read(file).nodes()).isNotEmpty();
        } else {
            assertThatThrownBy(() -> Importers.builtIn().read(file))
                    .isInstanceOf(GraphException.class)
                    .hasMessageContaining(refusal);
        }
    }

    @Test
    void masksOfHugeWindowsAreRefused() throws IOException {
        Path file = CaffeNet.of("""
                input: 'x' input_dim: 1 input_dim: 1 input_dim: 20000 input_dim: 20000
                layer { name: 'p' type: 'Pooling' bottom: 'x' top: 'p' top: 'm' pooling_param { kernel_size: 20000 stride: 20000 } }
                """).write(folder, "net");
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .hasMessageContaining("a mask of windows of more than 65536");
    }
}
