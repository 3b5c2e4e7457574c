package org.clinfer.importer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonImporterTest {

    private static final String IN =
            "{'name':'x','optype':'Input','tensors_out':[{'arg_name':'y','name':'x'}],'params':[{'arg_name':'dtype',"
                    + "'value':'float32'},{'arg_name':'dims','value':[2,3]}]},";
    private static final String OUT = ",{'name':'out','optype':'Output','tensors_in':[{'arg_name':'x','name':'y'}]}";

    @TempDir
    Path folder;

    private Graph read(String json) throws IOException {
        return Importers.builtIn().read(Files.writeString(folder.resolve("m.json"), json.replace('\'', '"')));
    }

    /** A graph whose one node takes x and gives y. */
    private Graph withNode(String node) throws IOException {
        return read("{'ops':[" + IN + node + OUT + "]}");
    }

    /** The value y of a graph whose one node is a constant. */
    private Tensor tensor(String constant) throws IOException {
        return Objects.requireNonNull(withNode(constant).constants().get("y"));
    }

    private void assertRefused(String node, String message) {
        assertThatThrownBy(() -> withNode(node))
                .isInstanceOf(GraphException.class)
                .hasMessageStartingWith("m.json: ")
                .hasMessageContaining(message.replace('\'', '"').replace('`', '\''));
    }

    private static String constant(String dtype, String dims, String data) {
        return "{'name':'k','optype':'Const','tensors_out':[{'arg_name':'y','name':'y'}],'params':["
                + "{'arg_name':'dtype','value':'" + dtype + "'},{'arg_name':'dims','value':" + dims
                + "},{'arg_name':'data','value':" + data + "}]}";
    }

    @Test
    void modelWrittenByHand() {
        Graph graph = Importers.builtIn().read(Path.of("test-data/models/two_branches/model.json"));

        assertThat(graph.name()).isEqualTo("two branches");
        assertThat(graph.outputs()).containsExactly("both", "sum");
        assertThat(graph.inputs().get(0).type().shape())
                .isEqualTo(new Shape(List.of(Dim.named("batch"), Dim.of(2), Dim.of(3))));
        assertThat(Objects.requireNonNull(graph.constants().get("shift")).toFloatArray())
                .containsExactly(0.5f, -2);
        assertThat(graph.nodes())
                .extracting(node -> node.source().toString())
                .contains("model.json: node 2 'leaky' (LeakyRelu)");
        assertThat(graph.nodes().get(0).params()).containsEntry("alpha", Attribute.of(0.25));
    }

    @Test
    void argumentsGoToTheirPlaces() throws IOException {
        Graph graph = withNode("{'name':'n','optype':'Clip','tensors_in':[{'arg_name':'max_tensor','name':'x'},"
                + "{'arg_name':'x','name':'x'}],'tensors_out':[{'arg_name':'y','name':'y'}]}");

        assertThat(graph.name()).isEqualTo("m");
        assertThat(graph.nodes().get(0).inputs()).containsExactly("x", "", "x");
    }

    @Test
    void operatorsOfAnotherCatalogue() throws IOException {
        Path descriptions = Files.createDirectory(folder.resolve("ops"));
        Files.writeString(
                descriptions.resolve("mine.json"),
                ("{'ops':[{'optype':'Mine','author':'me','arch':'none','tensors_in':[{'arg_name':'p','mtype':"
                                + "'LN_MEM_NONE'}],'tensors_out':[{'arg_name':'q','mtype':'LN_MEM_NONE','dtype':"
                                + "'p.dtype','dims':'p.dims'}]}]}")
                        .replace('\'', '"'));
        String node = "{'name':'n','optype':'Mine','tensors_in':[{'arg_name':'p','name':'x'}],"
                + "'tensors_out':[{'arg_name':'q','name':'y'}]}";
        assertThatThrownBy(() -> withNode(node)).isInstanceOf(UnsupportedException.class);

        Graph graph = Importers.of(OpCatalog.of(descriptions)).read(folder.resolve("m.json"));
        assertThat(graph.nodes().get(0).op()).isEqualTo("Mine");
    }

    @Test
    void elementsOfEveryType() throws IOException {
        assertThat(tensor(constant("int8", "[2]", "[-128,127]")).toLongArray()).containsExactly(-128, 127);
        assertThat(tensor(constant("bool", "[2]", "[true,false]")).toLongArray())
                .containsExactly(1, 0);
        assertThat(tensor(constant("u1", "[9]", "[1,0,1,0,1,1,1,0,1]")).toLongArray())
                .containsExactly(1, 0, 1, 0, 1, 1, 1, 0, 1);
        assertThat(tensor(constant("float16", "[4]", "['NaN','-Infinity',1,'0xfe01']"))
                        .bytes()
                        .getLong(0))
                .isEqualTo(0xfe01_3c00_fc00_7e00L);
        assertThat(tensor(constant("int64", "[]", "[-9223372036854775808]")).toLongArray())
                .containsExactly(Long.MIN_VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "int8|[1]|[128]|element 0, 128, is no int8",
                "int32|[1]|[1.0]|element 0, 1.0, is no int32",
                "int64|[1]|[9223372036854775808]|is no int64",
                "bool|[1]|[1]|element 0, 1, is no bool",
                "u1|[1]|[2]|is no u1",
                "u1|[1]|[true]|is no u1",
                "float32|[1]|[1e39]|is no float32",
                "float32|[1]|[65520000e99999]|is no float32",
                "float16|[1]|[65520]|is no float16",
                "float32|[1]|[`nan`]|is no float32",
                "float32|[1]|[`0x7fc0`]|is no float32",
                "float32|[1]|[true]|is no float32",
                "float32|[2]|[1]|needs a list of 2, found a list of 1",
                "float32|[1]|1|needs a list of 1, found 1",
                "float32|[-1]|[1]|expected sizes >= 0, found -1",
                "float32|[`n`]|[1]|expected sizes >= 0, found the string `n`",
                "float32|[4611686018427387904,4]|[1]|is too large",
                "float32|[1000000000]|[1]|more than one tensor can hold",
                "float33|[1]|[1]|there is no data type `float33`; did you mean `float32`?",
                "fp16|[1]|[1]|there is no data type `fp16`; did you mean `float16`?",
                "float32|[1]|[[1]]|a list within a list",
                "float32|[1]|{}|expected a number, a bool, a string or a list of them, found an object",
                "float32|[1]|null|found no value",
                "float32|[1]|[NaN]|line 1, column",
            })
    void badConstants(String dtype, String dims, String data, String message) {
        assertRefused(constant(dtype, dims.replace('`', '\''), data.replace('`', '\'')), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'name':'n','optype':'Frob'}|node 1 `n` (Frob): Clinfer has no operator Frob",
                "{'name':'n','optype':'Conv2D'}|Clinfer has no operator Conv2D; did you mean `Conv2d`?",
                "{'name':'x','optype':'Relu'}|the name `x` is used twice",
                "{'name':'n','optype':'Relu','arch':'none'}|unknown field `arch`; known are name, optype",
                "{'name':'n'}|node 1, line 1, column",
                "{'optype':'Relu'}|field `name` is missing",
                "{'name':'n','name':'m','optype':'Relu'}|Duplicate",
                "{'name':1,'optype':'Relu'}|expected a string, found 1",
                "{'name':'n','optype':'Relu','tensors_in':[{'arg_name':'z','name':'x'}]}|there is no input `z`; there are [x]",
                "{'name':'n','optype':'Relu','tensors_in':[{'arg_name':'x'}]}|field `name` is missing",
                "{'name':'n','optype':'Relu','tensors_in':[{'arg_name':'x','name':'x'},{'arg_name':'x','name':'x'}]}|input `x` is given twice",
                "{'name':'n','optype':'Relu','tensors_out':[{'arg_name':'y','name':'x'}]}|value `x` is defined twice",
                "{'name':'n','optype':'Relu','params':[{'arg_name':'a','value':1},{'arg_name':'a','value':1}]}|parameter `a` is given twice",
                "{'name':'n','optype':'Relu','params':[{'arg_name':'a','value':[1,true]}]}|of one kind",
                "{'name':'n','optype':'Relu','params':[{'arg_name':'a','value':9223372036854775808}]}|does not fit 64 bits",
                "{'name':'n','optype':'Relu','params':[{'arg_name':'a','value':1e400}]}|too large for a number",
                "{'name':'n','optype':'Relu','tensors_in':[{'arg_name':'x','name':'q'}],'tensors_out':[{'arg_name':'y','name':'y'}]}|input `q` is never produced",
                "{'name':'n','optype':'Relu','tensors_in':[{'arg_name':'x','name':'y'}],'tensors_out':[{'arg_name':'y','name':'y'}]}|cycle",
                "{'name':'n','optype':'Output','tensors_in':[{'arg_name':'x','name':'y'}]}|value `y` is an output already",
                "{'name':'n','optype':'Output','tensors_in':[]}|Output needs one input, `x`",
                "{'name':'n','optype':'Input','tensors_out':[{'arg_name':'y','name':'y'}]}|Input needs the parameter `dtype`",
                "{'name':'n','optype':'Relu'}|output `y` is never produced",
            })
    void badOperators(String node, String message) {
        assertRefused(node, message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "3",
                "{}",
                "{'ops':3}",
                "{'ops':[]}",
                "{'ops':[3]}",
                "{'opps':[]}",
                "{'ops':[]} x",
                "{'ops':[]",
                "{'ops':[], 'ops':[]}",
                "{'ops':[,]}",
                "// only a comment",
                "/* open",
            })
    void documentsThatAreNoModels(String json) {
        assertThatThrownBy(() -> read(json))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageStartingWith("m.json: ");
    }

    @Test
    void nestingIsBounded() {
        assertThatThrownBy(() -> read("{'ops':" + "[".repeat(100_000))).isExactlyInstanceOf(GraphException.class);
        assertRefused("{'name':'n','optype':'Relu','params':[{'arg_name':'a','value':" + "[".repeat(100_000), "line 1");
    }

    @Test
    void modelsAreToldFromOtherDocuments() throws IOException {
        assertThat(JsonImporter.isModel(Files.writeString(folder.resolve("a.json"), "//\n{\"name\":\"\",\"ops\":[{")))
                .isTrue();
        assertThat(JsonImporter.isModel(Files.writeString(folder.resolve("b.json"), "{\"source\":1,\"ops\":[]}")))
                .isFalse();
        assertThat(JsonImporter.isModel(Files.createFile(folder.resolve("c.json"))))
                .isFalse();
        assertThat(JsonImporter.isModel(folder.resolve("none.json"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "DeepHiTile, DeePhiTile",
        "DeepPhiTile, DeePhiTile",
        "DeepHiDownsample, DeePhiDownsample",
        "PReLU, PRelu"
    })
    void spellingsOfOpLib(String written, String meant) throws IOException {
        String slope = written.equals("PReLU") ? ",{'arg_name':'slope','name':'x'}" : "";
        Graph graph = withNode("{'name':'n','optype':'" + written + "','tensors_in':[{'arg_name':'x','name':'x'}"
                + slope + "],'tensors_out':[{'arg_name':'y','name':'y'}]}");
        assertThat(graph.nodes()).extracting(Node::op).containsExactly(meant);
    }
}
