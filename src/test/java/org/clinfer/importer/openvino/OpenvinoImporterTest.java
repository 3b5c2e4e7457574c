package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Definitions as a whole: what is read of them, without constants, and what is refused. */
class OpenvinoImporterTest {

    @TempDir
    Path folder;

    private static IrNet classifier() {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,2,4,6");
        Out kernel = net.floats("3,2,1,1", 1, 2, 3, 4, 5, 6);
        Out map = net.add(
                "Convolution", "strides=1,1 pads_begin=0,0 pads_end=0,0 dilations=1,1", "f32:1,3,4,6", x, kernel);
        Out turned = net.add("Transpose", "", "f32:1,4,6,3", map, net.longs(0, 2, 3, 1));
        List<Out> parts =
                net.layer("Split", "num_splits=2", List.of(turned, net.whole(2)), "f32:1,4,3,3", "f32:1,4,3,3");
        Out mean = net.add("ReduceMean", "keep_dims=true", "f32:1,1,3,3", parts.get(1), net.longs(1));
        Out row = net.add("Reshape", "special_zero=true", "f32:1,9", mean, net.longs(0, -1));
        return net.results(row);
    }

    private Graph read(IrNet net) throws IOException {
        return Importers.builtIn().read(net.write(folder));
    }

    @Test
    void namesAndTypes() throws IOException {
        Graph graph = read(classifier());
        assertThat(graph.name()).isEqualTo("net");
        assertThat(graph.inputs().get(0).name()).isEqualTo("Parameter_0");
        assertThat(graph.inputs().get(0).type().toString()).isEqualTo("1x2x4x6:float32");
        assertThat(graph.outputs()).containsExactly("Reshape_10");
        assertThat(graph.nodes())
                .anyMatch(
                        node -> node.name().equals("Convolution_2") && node.op().equals("Conv2d"));
    }

    /** The sizes that the file declares tell what the constants would. */
    @Test
    void definitionsAlone() throws IOException {
        Graph whole = read(classifier());
        Files.delete(folder.resolve("net.bin"));
        Graph alone = Importers.builtIn().read(folder.resolve("net.xml"));
        assertThat(alone.outputs()).isEqualTo(whole.outputs());
        assertThat(alone.nodes())
                .filteredOn(node -> node.op().equals("ConstantOfShape"))
                .hasSize(1);
        assertThat(alone.nodes())
                .filteredOn(node -> node.op().equals("Transpose"))
                .allMatch(node -> node.params()
                        .equals(whole.nodes().stream()
                                .filter(each -> each.name().equals(node.name()))
                                .findFirst()
                                .orElseThrow()
                                .params()));
    }

    @Test
    void definitionsAloneThatDoNotTell() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,3,3");
        net.results(net.add("Transpose", "", "f32:1,3,3", x, net.longs(0, 2, 1)));
        Path file = net.write(folder);
        Files.delete(folder.resolve("net.bin"));
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("(Transpose): the values of its input 1 are in 'net.bin', which is not there");
    }

    @Test
    void everyRefusalAtOnce() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,3");
        Out a = net.add("Multinomial", "", "f32:1,3", x);
        Out b = net.add("Inverse", "", "f32:1,3", x);
        net.results(a, net.add("Sigmoid", "", "f32:1,3", b)).refused(folder, "2 layers cannot be used: ");
        net.refused(folder, "Clinfer has no layer Multinomial");
        net.refused(folder, "Clinfer has no layer Inverse");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "version=\"11\">| version=\"7\">| IR version '7' is not supported",
                "shape=\"3,2,1,1\"| shape=\"3,-2,1,1\"| expected a size, found '-2'",
                "size=\"24\"| size=\"20\"| needs 24 bytes, but it has 20",
                "offset=\"0\"| offset=\"4000\"| needs 24 bytes from offset 4000, but the external file 'net.bin' has",
                "offset=\"0\"| offset=\"-4\"| at offset -4",
                "from-layer=\"1\"| from-layer=\"77\"| of layer 77, which does not exist",
                "to-layer=\"2\"| to-layer=\"99\"| no edge leads to its port",
                "<layer id=\"3\"| <layer id=\"2\"| there is a layer of this id before it",
                "<layers>| <layers><other/>| expected <layer>, found <other>",
                "<net name| <!DOCTYPE net [<!ENTITY a \"b\">]><net name| document type",
                "</edges>| </edges></net>| it is no XML",
                "<edges>| <pre-process/><edges>| <pre-process> in a network",
                "<dim>6</dim>| <dim>6666666666666666666</dim>| expected a size",
                "<dim>6</dim>| <dim>666666666666666666</dim>| is too large",
                "f32| nf4| nf4",
                "strides=\"1,1\"| strides=\"1\"| expected 2 whole numbers",
                "type=\"Convolution\"| type=\"Winograd\"| Clinfer has no layer Winograd"
            })
    void damagedDefinitions(String from, String to, String message) throws IOException {
        Path file = classifier().write(folder);
        Files.writeString(file, Files.readString(file).replaceFirst(Pattern.quote(from), to));
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    /** A definition in another character set is refused; a mark of UTF-8 in front is none of the text. */
    @Test
    void characterSets() throws IOException {
        Path file = classifier().write(folder);
        String text = Files.readString(file);
        Files.writeString(file, text.replace("name=\"net\"", "name=\"n\u00e9t\""), StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.xml: it is not in UTF-8");
        Files.writeString(file, "\uFEFF" + text);
        assertThat(Importers.builtIn().read(file).outputs()).isNotEmpty();
    }

    @Test
    void rings() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2");
        Out y = net.add("Add", "", "f32:2", x, new Out(2, 2, "FP32", "2"));
        net.add("Add", "", "f32:2", x, y);
        net.results(y).refused(folder, "it needs what it gives itself");
    }

    @Test
    void parametersOfOneName() throws IOException {
        IrNet net = new IrNet();
        net.results(net.add("Add", "", "f32:2", net.parameter("f32", "2"), net.parameter("f32", "2")));
        Path file = net.write(folder);
        Files.writeString(file, Files.readString(file).replace("Parameter_1", "Parameter_0"));
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .hasMessageContaining("there is a parameter of this name before it");
    }

    @Test
    void entitiesWithinEntities() throws IOException {
        StringBuilder text = new StringBuilder("<!DOCTYPE net [<!ENTITY a0 \"ha\">");
        for (int i = 1; i < 30; i++) {
            text.append("<!ENTITY a")
                    .append(i)
                    .append(" \"&a")
                    .append(i - 1)
                    .append(";&a")
                    .append(i - 1)
                    .append(";\">");
        }
        Path file = Files.writeString(folder.resolve("laughs.xml"), text + "]><net name=\"&a29;\" version=\"11\"/>");
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("laughs.xml");
    }

    @Test
    void otherFilesOfTheSuffix() throws IOException {
        Path file = Files.writeString(folder.resolve("pom.xml"), "<project><net/></project>");
        assertThat(Importers.builtIn().find(file)).isEmpty();
    }

    /** A batch that is open takes any, as one of a range does. */
    @Test
    void openSizes() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "-1,2");
        net.results(net.add("MatMul", "transpose_b=true", "f32:-1,1", x, net.floats("1,2", 1, 10)));
        assertThat(net.run(folder, IrNet.of(new float[] {1, 2, 3, 4}, 2, 2)).toFloatArray())
                .containsExactly(21, 43);
        Tensor one = net.version("10").run(folder, IrNet.of(new float[] {5, 6}, 1, 2));
        assertThat(one.toFloatArray()).containsExactly(65);
    }
}
