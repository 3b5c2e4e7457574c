package org.clinfer.robustness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged definitions of OpenVINO, with and without constants, and texts that only look like some. */
class OpenvinoFuzzTest {

    private static final int CASES = 2500;

    static final List<String> WORDS = List.of(
            "Convolution",
            "ConvolutionBackpropData",
            "GroupConvolution",
            "MaxPool",
            "AvgPool",
            "Reshape",
            "Transpose",
            "StridedSlice",
            "Interpolate",
            "Concat",
            "VariadicSplit",
            "ReduceMean",
            "MatMul",
            "TopK",
            "Gather",
            "ShapeOf",
            "opset8",
            "FP16",
            "I64",
            "<dim>-1</dim>",
            "<dim>0</dim>",
            "-1",
            "0",
            "1,1",
            "axis=\"1\"",
            "keep_dims=\"true\"",
            "auto_pad=\"same_upper\"",
            "shape=\"?,1..8\"",
            "TensorIterator",
            "Loop",
            "PriorBox",
            "DetectionOutput",
            "RegionYolo",
            "Einsum",
            "ScatterUpdate",
            "stride=\"-12\"",
            "part_size=\"2\"",
            "<body>",
            "</layer>",
            "<port id=\"0\">");

    static final String NETWORK = """
            <?xml version="1.0"?>
            <net name="net" version="11">
            <layers>
            <layer id="0" name="x" type="Parameter" version="opset1"><data element_type="f32" shape="1,2,4,6"/><output>
            <port id="0" precision="FP32" names="x"><dim>1</dim><dim>2</dim><dim>4</dim><dim>6</dim></port></output></layer>
            <layer id="1" name="w" type="Const" version="opset1"><data element_type="f32" shape="4,2,3,3" offset="0" size="288"/>
            <output><port id="0" precision="FP32"><dim>4</dim><dim>2</dim><dim>3</dim><dim>3</dim></port></output></layer>
            <layer id="2" name="c" type="Convolution" version="opset1">
            <data strides="1,1" dilations="1,1" pads_begin="1,1" pads_end="1,1" auto_pad="explicit"/>
            <input><port id="0"/><port id="1"/></input><output>
            <port id="2" precision="FP32"><dim>1</dim><dim>4</dim><dim>4</dim><dim>6</dim></port></output></layer>
            <layer id="3" name="p" type="MaxPool" version="opset8">
            <data strides="2,2" dilations="1,1" pads_begin="0,0" pads_end="0,0" kernel="2,2" rounding_type="floor"
             auto_pad="explicit" index_element_type="i64" axis="0"/>
            <input><port id="0"/></input><output>
            <port id="1" precision="FP32"><dim>1</dim><dim>4</dim><dim>2</dim><dim>3</dim></port>
            <port id="2" precision="I64"><dim>1</dim><dim>4</dim><dim>2</dim><dim>3</dim></port></output></layer>
            <layer id="4" name="o" type="Const" version="opset1"><data element_type="i64" shape="4" offset="288" size="32"/>
            <output><port id="0" precision="I64"><dim>4</dim></port></output></layer>
            <layer id="5" name="t" type="Transpose" version="opset1"><input><port id="0"/><port id="1"/></input><output>
            <port id="2" precision="FP32"><dim>1</dim><dim>2</dim><dim>3</dim><dim>4</dim></port></output></layer>
            <layer id="6" name="s" type="Const" version="opset1"><data element_type="i64" shape="2" offset="320" size="16"/>
            <output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
            <layer id="7" name="r" type="Reshape" version="opset1"><data special_zero="true"/>
            <input><port id="0"/><port id="1"/></input><output>
            <port id="2" precision="FP32"><dim>1</dim><dim>24</dim></port></output></layer>
            <layer id="8" name="a" type="Const" version="opset1"><data element_type="i64" shape="" offset="336" size="8"/>
            <output><port id="0" precision="I64"/></output></layer>
            <layer id="9" name="v" type="Split" version="opset1"><data num_splits="2"/>
            <input><port id="0"/><port id="1"/></input><output>
            <port id="2" precision="FP32"><dim>1</dim><dim>12</dim></port>
            <port id="3" precision="FP32"><dim>1</dim><dim>12</dim></port></output></layer>
            <layer id="10" name="m" type="SoftMax" version="opset8"><data axis="1"/><input><port id="0"/></input><output>
            <port id="1" precision="FP32" names="y"><dim>1</dim><dim>12</dim></port></output></layer>
            <layer id="11" name="k" type="Concat" version="opset1"><data axis="-1"/>
            <input><port id="0"/><port id="1"/></input><output>
            <port id="2" precision="FP32"><dim>1</dim><dim>24</dim></port></output></layer>
            <layer id="13" name="l" type="TensorIterator" version="opset1"><input><port id="0"/><port id="1"/></input><output>
            <port id="2" precision="FP32"><dim>1</dim><dim>24</dim></port></output>
            <port_map><input external_port_id="0" internal_layer_id="0" axis="1" start="0" end="-1" stride="12" part_size="12"/>
            <input external_port_id="1" internal_layer_id="1"/>
            <output external_port_id="2" internal_layer_id="3" axis="1" start="-1" end="0" stride="-12" part_size="12"/>
            </port_map><back_edges><edge from-layer="3" to-layer="1"/></back_edges><body><layers>
            <layer id="0" name="e" type="Parameter" version="opset1"><data element_type="f32" shape="1,12"/><output>
            <port id="0" precision="FP32"><dim>1</dim><dim>12</dim></port></output></layer>
            <layer id="1" name="f" type="Parameter" version="opset1"><data element_type="f32" shape="1,12"/><output>
            <port id="0" precision="FP32"><dim>1</dim><dim>12</dim></port></output></layer>
            <layer id="2" name="g" type="Add" version="opset1"><input><port id="0"/><port id="1"/></input><output>
            <port id="2" precision="FP32"><dim>1</dim><dim>12</dim></port></output></layer>
            <layer id="3" name="h" type="Result" version="opset1"><input><port id="0"/></input></layer></layers><edges>
            <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
            <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
            <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></body></layer>
            <layer id="12" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
            </layers>
            <edges>
            <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
            <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
            <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
            <edge from-layer="3" from-port="1" to-layer="5" to-port="0"/>
            <edge from-layer="4" from-port="0" to-layer="5" to-port="1"/>
            <edge from-layer="5" from-port="2" to-layer="7" to-port="0"/>
            <edge from-layer="6" from-port="0" to-layer="7" to-port="1"/>
            <edge from-layer="7" from-port="2" to-layer="9" to-port="0"/>
            <edge from-layer="8" from-port="0" to-layer="9" to-port="1"/>
            <edge from-layer="9" from-port="3" to-layer="10" to-port="0"/>
            <edge from-layer="9" from-port="2" to-layer="11" to-port="0"/>
            <edge from-layer="10" from-port="1" to-layer="11" to-port="1"/>
            <edge from-layer="11" from-port="2" to-layer="13" to-port="0"/>
            <edge from-layer="9" from-port="2" to-layer="13" to-port="1"/>
            <edge from-layer="13" from-port="2" to-layer="12" to-port="0"/>
            </edges>
            </net>
            """;

    @TempDir
    Path folder;

    private Path write(String name, byte[] text) throws IOException {
        return Files.write(folder.resolve(name), text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] constants() {
        ByteBuffer bytes = ByteBuffer.allocate(344).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 72; i++) {
            bytes.putFloat(1 + i % 3);
        }
        for (long value : new long[] {0, 2, 3, 1, 0, -1, 1}) {
            bytes.putLong(value);
        }
        return bytes.array();
    }

    @Test
    void theNetworkIsSound() throws IOException {
        write("net.bin", constants());
        FormatFuzz.requireSound(write("net.xml", bytes(NETWORK)));
        Files.delete(folder.resolve("net.bin"));
        FormatFuzz.requireSound(write("net.xml", bytes(NETWORK)));
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedNetworks() throws IOException {
        FormatFuzz.run("openvino", CASES, seed -> {
            TextMutator mutator = new TextMutator(seed, WORDS);
            Files.deleteIfExists(folder.resolve("net.bin"));
            if (seed % 3 != 0) {
                write("net.bin", seed % 7 == 0 ? new ModelMutator(seed).damage(constants()) : constants());
            }
            if (seed % 9 == 0) {
                return write("net.xml", new ModelMutator(seed).damage(bytes(NETWORK)));
            }
            if (seed % 11 == 0) {
                return write("net.xml", bytes(mutator.random("<net name=\"n\" version=\"10\"><layers>")));
            }
            return write("net.xml", bytes(seed % 7 == 0 ? NETWORK : mutator.change(NETWORK)));
        });
    }
}
