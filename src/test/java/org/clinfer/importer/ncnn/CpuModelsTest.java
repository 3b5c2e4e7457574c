package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.DeviceChoice;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CpuModelsTest extends ModelsContract {

    @TempDir
    Path folder;

    CpuModelsTest() {
        super(new DeviceChoice.Cpu());
    }

    /** A definition alone has its shapes, and no values. */
    @ParameterizedTest
    @CsvSource({
        "nanodet_m/nanodet_m.param",
        "yolo_fastest_1.1/yolo-fastest-1.1.param",
        "fastestdet/FastestDet.param",
        "ultraface_rfb320/RFB-320.param",
        "retinaface_mnet0.25/retina.param",
        "squeezenet_v1.1/squeezenet_v1.1.param",
        "waifu2x_upconv7_photo/scale2.0x_model.param"
    })
    void definitionsAlone(String param) throws IOException {
        Path alone = Files.copy(model(param), folder.resolve("alone.param"));
        Graph graph = Importers.builtIn().read(alone);
        assertThat(graph.outputs())
                .isEqualTo(Importers.builtIn().read(model(param)).outputs());
        assertThat(graph.nodes()).anyMatch(node -> node.op().equals("ConstantOfShape"));
    }
}
