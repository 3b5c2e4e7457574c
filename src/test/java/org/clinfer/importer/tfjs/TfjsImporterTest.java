package org.clinfer.importer.tfjs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TfjsImporterTest extends TfjsDocuments {

    private Graph read(TfjsModel model) throws IOException {
        return Importers.builtIn().read(model.write(folder));
    }

    private static Tensor constant(Graph graph, String name) {
        return Objects.requireNonNull(
                graph.constants().get(name), () -> graph.constants().keySet().toString());
    }

    private void write(String file, int... bytes) throws IOException {
        byte[] all = new byte[bytes.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) bytes[i];
        }
        Files.write(folder.resolve(file), all);
    }

    @Test
    void functionalModel() throws IOException {
        Graph graph = read(new TfjsModel()
                .input("image", -1, -1, 4, 2)
                .input("mask", -1, 3)
                .weight("conv/kernel", 3, 3, 2, 5)
                .weight("conv/bias", 5)
                .weight("unused/kernel", 7)
                .layer(
                        "Conv2D",
                        "conv",
                        "'kernel_size':[3,3],'padding':'same','activation':'relu','filters':5",
                        "image")
                .layer("Activation", "act", "'activation':'tanh'", "mask")
                .outputs("act", "conv"));

        assertThat(graph.name()).isEqualTo("model");
        assertThat(graph.inputs()).extracting(Graph.Input::name).containsExactly("image", "mask");
        assertThat(graph.inputs().get(0).type().shape())
                .isEqualTo(new Shape(List.of(Dim.named("batch"), Dim.unknown(), Dim.of(4), Dim.of(2))));
        assertThat(graph.outputs()).containsExactly("act", "conv");
        assertThat(graph.nodes()).extracting(Node::name).containsExactly("act", "conv", "conv/Relu");
        assertThat(graph.nodes().get(1).source()).hasToString("model.json: layer 2 'conv' (Conv2D)");
        assertThat(graph.constants()).containsOnlyKeys("conv/kernel", "conv/bias");
    }

    @Test
    void layersThatDoNothingLeaveNoNodes() throws IOException {
        Graph graph = read(new TfjsModel()
                .input("x", -1, 3)
                .layer("Dropout", "drop", "'rate':0.5", "x")
                .layer("Activation", "act", "'activation':'relu'", "drop")
                .layer("GaussianNoise", "noise", "'stddev':0.1", "act")
                .outputs("noise", "drop"));

        assertThat(graph.nodes()).extracting(Node::op).containsExactly("Relu", "Identity");
        assertThat(graph.outputs()).containsExactly("act", "drop");
    }

    @Test
    void layersInAnyOrderAndSharedOnes() throws IOException {
        Graph graph = read(new TfjsModel()
                .layerCalled("Add", "sum", "", "[[['twice',1,0,{}],['twice',0,0,{}]]]")
                .layerCalled("Dense", "twice", "'units':4", "[[['x',0,0,{}]],[['y',0,0]]]")
                .input("x", -1, 3)
                .input("y", -1, 3)
                .weight("twice/kernel", 3, 4)
                .weight("twice/bias", 4)
                .outputs("sum"));

        assertThat(graph.nodes()).extracting(Node::op).containsExactly("Gemm", "Gemm", "Sum");
        assertThat(graph.nodes().get(2).inputs()).containsExactly("twice:1", "twice");
        assertThat(graph.nodes())
                .filteredOn(node -> node.op().equals("Gemm"))
                .allSatisfy(node -> assertThat(node.inputs()).endsWith("twice/kernel", "twice/bias"));
    }

    @Test
    void sequentialModels() throws IOException {
        writeFloats("w.bin", 1, 2, 3, 4, 5, 6, 7, 8);
        String manifest = "[{'paths':['w.bin'],'weights':[{'name':'sequential/d/kernel:0','shape':[3,2],'dtype':"
                + "'float32'},{'name':'sequential/d/bias:0','shape':[2],'dtype':'float32'}]}]";
        String dense = "'units':2,'activation':'linear'";
        for (String network : List.of(
                sequential(
                        layer("InputLayer", "d_input", "'batch_input_shape':[null,3],'dtype':'float32'"),
                        layer("Dense", "d", dense)),
                sequential(layer("Dense", "d", "'batch_input_shape':[null,3]," + dense)),
                "{'class_name':'Sequential','config':[" + layer("Dense", "d", "'batch_input_shape':[null,3]," + dense)
                        + "]}",
                "{'class_name':'Sequential','config':{'name':'s','layers':[" + layer("Dense", "d", dense)
                        + "],'build_input_shape':[null,3]}}",
                sequential(
                        layer(
                                "InputLayer",
                                "d_input",
                                "'batch_shape':[null,3],'dtype':{'module':'keras','class_name':"
                                        + "'DTypePolicy','config':{'name':'float32'}}"),
                        layer("Dense", "d", dense)))) {
            Graph graph = read(network, manifest);
            assertThat(graph.inputs().get(0).name()).isEqualTo("d_input");
            assertThat(graph.inputs().get(0).type()).hasToString("batchx3:float32");
            assertThat(graph.outputs()).containsExactly("d");
            assertThat(constant(graph, "sequential/d/kernel").toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
            assertThat(constant(graph, "sequential/d/bias").toFloatArray()).containsExactly(7, 8);
        }
    }

    @Test
    void kerasThreeSpellings() throws IOException {
        writeFloats("w.bin", 1, 2, 3);
        String history = "{'class_name':'__keras_tensor__','config':{'shape':[null,3],'dtype':'float32',"
                + "'keras_history':['%s',0,0]}}";
        String network = "{'class_name':'Functional','module':'keras','config':{'name':'f','layers':["
                + "{'module':'keras.layers','class_name':'InputLayer','config':{'batch_shape':[null,3],'dtype':'float32',"
                + "'sparse':false,'name':'x'},'registered_name':null,'name':'x','inbound_nodes':[]},"
                + "{'class_name':'PReLU','config':{'name':'p','dtype':{'module':'keras','class_name':'DTypePolicy',"
                + "'config':{'name':'float32'}},'shared_axes':null},'name':'p','inbound_nodes':[{'args':["
                + String.format(history, "x") + "],'kwargs':{'mask':null}}],'build_config':{'input_shape':[null,3]}},"
                + "{'class_name':'Add','config':{'name':'s'},'name':'s','inbound_nodes':[{'args':[["
                + String.format(history, "x") + "," + String.format(history, "p") + "]],'kwargs':{}}]}],"
                + "'input_layers':['x',0,0],'output_layers':{'out':['s',0,0]}}}";
        Graph graph =
                read(network, "[{'paths':['w.bin'],'weights':[{'name':'f/p/vars/0','shape':[3],'dtype':'float32'}]}]");

        assertThat(graph.outputs()).containsExactly("s");
        assertThat(graph.nodes()).extracting(Node::op).containsExactly("PRelu", "Sum");
        assertThat(constant(graph, "f/p/vars/0").toFloatArray()).containsExactly(1, 2, 3);
    }

    @Test
    void networksInsideNetworks() throws IOException {
        TfjsModel inner = new TfjsModel()
                .input("in", -1, 3)
                .layer("Dense", "d", "'units':3", "in")
                .layer("Activation", "a", "'activation':'relu'", "d");
        TfjsModel outer = new TfjsModel().input("x", -1, 3);
        for (String kind : List.of("Functional", "Model")) {
            String calls = "[[['x',0,0,{}]],[['inner',1,0,{}]]]";
            String network = "{'class_name':'Functional','config':{'name':'m','layers':["
                    + "{'class_name':'InputLayer','config':{'batch_input_shape':[null,3],'name':'x'},'name':'x',"
                    + "'inbound_nodes':[]},{'class_name':'" + kind + "','config':" + inner.config("inner")
                    + ",'name':'inner','inbound_nodes':" + calls + "}],'input_layers':[['x',0,0]],"
                    + "'output_layers':[['inner',2,0]]}}";
            outer.weight("d/kernel", 3, 3).weight("d/bias", 3).write(folder);
            Graph graph = read(network, outer.manifest());

            assertThat(graph.nodes())
                    .extracting(node -> node.name() + " " + node.op())
                    .containsExactly("inner/d Gemm", "inner/a Relu", "inner:1/d Gemm", "inner:1/a Relu");
            assertThat(graph.outputs()).containsExactly("inner:1/a");
            assertThat(graph.nodes().get(0).source())
                    .hasToString("model.json: layer 1 'inner' (" + kind + "): layer 1 'd' (Dense)");
            assertThat(graph.constants()).containsOnlyKeys("d/kernel", "d/bias");
            outer = new TfjsModel().input("x", -1, 3);
        }
    }

    @Test
    void sequentialInsideSequential() throws IOException {
        String inner = "{'class_name':'Sequential','config':{'name':'inner','layers':["
                + layer("Conv1D", "c", "'batch_input_shape':[null,5,2],'filters':3,'kernel_size':[1],'use_bias':false")
                + "]}}";
        TfjsModel weights = new TfjsModel().weight("inner/c/kernel", 1, 2, 3);
        weights.write(folder);
        Graph graph = read(sequential(inner, layer("Flatten", "f", "")), weights.manifest());

        assertThat(graph.inputs().get(0).type()).hasToString("batchx5x2:float32");
        assertThat(graph.nodes()).extracting(Node::name).containsExactly("inner/c", "f");
    }

    @Test
    void weightsOfEveryKind() throws IOException {
        Path weights = folder.resolve("w.bin");
        ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0).put((byte) 200).put((byte) 255); // uint8
        bytes.putShort((short) 0).putShort((short) 40000).putShort((short) 65535); // uint16
        bytes.putShort((short) 0x3c00).putShort((short) 0xc100).putShort((short) 0x0001); // float16
        bytes.putFloat(1.5f).putFloat(-2).putFloat(3); // float32 at an odd place
        Files.write(weights, Arrays.copyOf(bytes.array(), bytes.position()));
        String layers = "";
        StringBuilder specs = new StringBuilder();
        String[] quantized = {
            "'dtype':'float32','quantization':{'dtype':'uint8','scale':0.5,'min':-10,'original_dtype':'float32'}",
            "'dtype':'float32','quantization':{'dtype':'uint16','scale':0.25,'min':1.5}",
            "'dtype':'float32','quantization':{'dtype':'float16','original_dtype':'float32'}",
            "'dtype':'float32'",
        };
        for (int i = 0; i < quantized.length; i++) {
            specs.append(i == 0 ? "" : ",").append("{'name':'p" + i + "/alpha','shape':[3]," + quantized[i] + "}");
            layers += (i == 0 ? "" : ",") + layer("PReLU", "p" + i, i == 0 ? "'batch_input_shape':[null,3]" : "");
        }
        Graph graph = read(sequential(layers), "[{'paths':['w.bin'],'weights':[" + specs + "]}]");

        assertThat(constant(graph, "p0/alpha").toFloatArray()).containsExactly(-10, 90, 117.5f);
        assertThat(constant(graph, "p1/alpha").toFloatArray()).containsExactly(1.5f, 10001.5f, 16385.25f);
        assertThat(constant(graph, "p2/alpha").toFloatArray()).containsExactly(1, -2.5f, 0x1p-24f);
        assertThat(constant(graph, "p3/alpha").toFloatArray()).containsExactly(1.5f, -2, 3);
    }

    @Test
    void integersAndBools() throws IOException {
        Path descriptions = Files.createDirectory(folder.resolve("ops"));
        Files.writeString(
                descriptions.resolve("mine.json"),
                ("{'ops':[{'optype':'Mine','author':'me','arch':'none','tensors_in':[{'arg_name':'x','mtype':"
                                + "'LN_MEM_NONE'},{'arg_name':'which','mtype':'LN_MEM_NONE'},{'arg_name':'flags',"
                                + "'mtype':'LN_MEM_NONE','optional':true}],'params':[{'arg_name':'sizes','ptype':"
                                + "'LN_PARAM_ARRAY_NUMBER','realtype':'double'}],'tensors_out':[{'arg_name':'y',"
                                + "'mtype':'LN_MEM_NONE','dtype':'x.dtype','dims':'x.dims'}]}]}")
                        .replace('\'', '"'));
        write("w.bin", 255, 255, 255, 255, 7, 0, 0, 0, 200, 0, 1, 1);
        String manifest = "[{'paths':['w.bin'],'weights':[{'name':'m/which','shape':[2],'dtype':'int32'},"
                + "{'name':'m/q','shape':[1],'dtype':'int32','quantization':{'dtype':'uint8','scale':0.5,'min':-3}},"
                + "{'name':'m/flags','shape':[3],'dtype':'bool'}]}]";
        String network = sequential(layer("Mine", "m", "'batch_input_shape':[null,2],'sizes':[1,0.5]"));
        assertThatThrownBy(() -> read(network, manifest))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("layer 0 'm' (Mine): Clinfer has no layer Mine");

        Graph graph = Importers.of(OpCatalog.of(descriptions)).read(folder.resolve("model.json"));
        Node node = graph.nodes().get(0);
        assertThat(node.op()).isEqualTo("Mine");
        assertThat(node.inputs()).containsExactly("m_input", "m/which", "m/flags");
        assertThat(node.params().get("sizes")).hasToString("[1.0, 0.5]");
        assertThat(constant(graph, "m/which").dtype()).isEqualTo(DType.INT32);
        assertThat(constant(graph, "m/which").toLongArray()).containsExactly(-1, 7);
        assertThat(constant(graph, "m/flags").toLongArray()).containsExactly(0, 1, 1);
    }

    @Test
    void weightsInSeveralFiles() throws IOException {
        write("a.bin", 0, 0, 128);
        write("b.bin", 63, 0, 0, 0, 64, 0);
        Files.createFile(folder.resolve("c.bin"));
        write("d.bin", 0, 64);
        write("e.bin", 64, 0, 0, 192, 64);
        String network = sequential(
                layer("PReLU", "p", "'batch_input_shape':[null,2]"), layer("PReLU", "q", "'shared_axes':[1]"));
        Graph graph = read(
                network,
                "[{'paths':['a.bin','b.bin','c.bin','d.bin'],'weights':[{'name':'p/alpha','shape':[2],'dtype':'float32'},"
                        + "{'name':'p/rest','shape':[3],'dtype':'bool'}]},"
                        + "{'paths':['e.bin'],'weights':[{'name':'q/x','shape':[],'dtype':'bool'},"
                        + "{'name':'q/alpha','shape':[1],'dtype':'float32'}]}]");

        assertThat(constant(graph, "p/alpha").toFloatArray()).containsExactly(1, 2);
        assertThat(constant(graph, "q/alpha").toFloatArray()).containsExactly(6);
    }

    /** The layer norm needs to know the axes of what it takes, which nobody can say; this is not its fault. */
    @Test
    void everyUnsupportedLayerIsNamedAtOnce() {
        TfjsModel model = new TfjsModel()
                .input("x", -1, 5, 5, 3)
                .layer("Lambda", "odd", "'function':['4wEAAAA',null]", "x")
                .layer("ReLU", "lifted", "'threshold':1.5", "odd")
                .layer("BatchNormalization", "norm", "", "lifted")
                .layer("Activation", "act", "'activation':'cubed'", "norm")
                .layer("MaxPooling2D", "pool", "", "x")
                .layer("LSTM", "memory", "'units':3", "pool");

        assertThatThrownBy(() -> read(model))
                .isInstanceOf(UnsupportedException.class)
                .hasMessage("model.json: 4 layers cannot be used: layer 1 'odd' (Lambda): Clinfer has no layer Lambda;"
                        + " layer 2 'lifted' (ReLU): layer ReLU with a threshold is not supported; layer 4 'act'"
                        + " (Activation): layer Activation with activation 'cubed' is not supported;"
                        + " layer 6 'memory' (LSTM): Clinfer has no layer LSTM");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Lambda|`function`:[1]|layer Lambda",
                "Activation|`activation`:`cubed`|layer Activation with activation `cubed`",
                "Activation|`activation`:{`class_name`:`PReLU`,`config`:{}}|layer Activation with activation `PReLU`",
                "ReLU|`threshold`:1.0|layer ReLU with a threshold",
                "ReLU|`max_size`:3|layer ReLU with `max_size`",
                "UpSampling2D|`interpolation`:`area`|layer UpSampling2D with interpolation `area`",
                "Softmax|`axis`:[1,2]|layer Softmax with 2 axes",
                "LayerNormalization|`axis`:1|layer LayerNormalization with axes that are not the last",
                "GroupNormalization|`axis`:1|layer GroupNormalization with channels that are not the last",
            })
    void whatIsUnsupported(String kind, String config, String feature) {
        TfjsModel model = new TfjsModel().input("x", -1, 4, 4, 2).layer(kind, "l", config.replace('`', '\''), "x");
        assertThatThrownBy(() -> read(model))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature()).startsWith(feature.replace('`', '\'')))
                .hasMessageStartingWith("model.json: layer 1 'l' (" + kind + "): ");
    }

    @Test
    void fieldsThatSayNothingArePassedOver() throws IOException {
        Graph graph = read(new TfjsModel()
                .input("x", -1, 4)
                .layer(
                        "ReLU",
                        "l",
                        "'dtype':{'class_name':'Policy','config':{'name':'mixed_float16'}},'foo':null,'bar':false,"
                                + "'baz_regularizer':{'class_name':'L2','config':{'l2':0.1}},'empty':[],'autocast':true",
                        "x"));
        assertThat(graph.nodes()).extracting(Node::op).containsExactly("Relu");
    }

    @Test
    void usesInTraining() {
        TfjsModel model = new TfjsModel()
                .input("x", -1, 4)
                .layerCalled("Dropout", "d", "'rate':0.5", "[[['x',0,0,{'training':true}]]]");
        assertThatThrownBy(() -> read(model))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("layer 1 'd' (Dropout): layer Dropout with the argument training");
        TfjsModel sound = new TfjsModel()
                .input("x", -1, 4)
                .layerCalled("Dropout", "d", "'rate':0.5", "[[['x',0,0,{'training':false,'mask':null}]]]")
                .layer("ReLU", "r", "", "d");
        assertThat(sound.json()).contains("training");
        assertThatCode(() -> read(sound)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'format':'graph-model','modelTopology':{'node':[]},'weightsManifest':[]}",
                "{'modelTopology':{'node':[{'name':'x'}],'versions':{}}}"
            })
    void graphModels(String document) throws IOException {
        Path file = Files.writeString(folder.resolve("model.json"), document.replace('\'', '"'));
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageStartingWith("model.json: TensorFlow.js graph models are not supported; convert");
    }

    @Test
    void modelsAreToldFromOtherDocuments() throws IOException {
        TfjsImporter importer = new TfjsImporter(OpCatalog.builtIn());
        Path model = new TfjsModel().input("x", 1).layer("ReLU", "r", "", "x").write(folder);
        assertThat(importer.accepts(model)).isTrue();
        assertThat(importer.accepts(Files.copy(model, folder.resolve("model.txt"))))
                .isFalse();
        for (String other : List.of(
                "{\"name\":\"n\",\"ops\":[],\"modelTopology\":{}}",
                "{\"ops\":[]}",
                "{\"a\":{\"modelTopology\":1},\"b\":[\"weightsManifest\"]}",
                "[\"modelTopology\"]",
                "",
                "{\"a\":")) {
            Path file = Files.writeString(folder.resolve("other.json"), other);
            assertThat(importer.accepts(file)).as(other).isFalse();
        }
        assertThat(importer.accepts(Files.writeString(
                        folder.resolve("last.json"), "{\"a\":{\"ops\":[1]},\"signature\":3,\"weightsManifest\":[")))
                .isTrue();
        assertThat(importer.accepts(folder.resolve("none.json"))).isFalse();
    }
}
