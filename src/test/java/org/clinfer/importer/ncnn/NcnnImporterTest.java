package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as networks, how they keep weights, and files that are none. */
class NcnnImporterTest {

    @TempDir
    Path folder;

    private Graph read(String text) throws IOException {
        return Importers.builtIn().read(Files.writeString(folder.resolve("net.param"), text));
    }

    private static NcnnNet product() {
        return NcnnNet.of(3).layer("InnerProduct", "0=2 1=1 2=6");
    }

    private float[] result(NcnnNet net) throws IOException {
        return net.run(folder, new float[] {1, 10, 100}, 1, 3).toFloatArray();
    }

    @Test
    void weightsAreKeptInSixWays() throws IOException {
        float[] wanted = {321 + 7, 654 + 8};
        float[] kernel = {1, 2, 3, 4, 5, 6};
        assertThat(result(product().tagged(kernel).raw(7, 8))).containsExactly(wanted);
        assertThat(result(product().tag(0x0002C056).raw(kernel).raw(7, 8))).containsExactly(wanted);
        int[] halves = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
        assertThat(result(product().tag(0x01306B47).shorts(halves).raw(7, 8))).containsExactly(wanted);
        int[] upper = {0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0};
        assertThat(result(product().tag(0x01348B83).shorts(upper).raw(7, 8))).containsExactly(wanted);
        float[] table = new float[256];
        for (int i = 0; i < 256; i++) {
            table[i] = 256 - i;
        }
        // places 255, 254 ... as bytes, two in each short, and two bytes that only fill up
        NcnnNet net = product().tag(1).raw(table).shorts(0xfeff, 0xfcfd, 0xfafb, 0);
        assertThat(result(net.raw(7, 8))).containsExactly(wanted);
    }

    /** Three halves take six bytes, and what follows begins at a multiple of four. */
    @Test
    void weightsBeginAtMultiplesOfFour() throws IOException {
        NcnnNet net = NcnnNet.of(3).layer("InnerProduct", "0=1 1=1 2=3").tag(0x01306B47);
        net.shorts(0x3c00, 0x4000, 0x4200, 0x7fff).raw(7);
        assertThat(result(net)).containsExactly(328);
    }

    @Test
    void codesOfEightBitsAreRefused() throws IOException {
        Path file = product().tag(0x000D4B38).raw(0, 0, 0, 0).write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isExactlyInstanceOf(UnsupportedException.class)
                .hasMessage("net.param: line 4, layer 'l' (InnerProduct): its weights are int8 codes");
        assertThatThrownBy(() -> read(product().text().replace("2=6", "2=6 8=1")))
                .hasMessageContaining("layer InnerProduct with int8 codes is not supported");
    }

    @Test
    void weightsOfAnotherNetworkAreRefused() throws IOException {
        Path more = product().tagged(1, 2, 3, 4, 5, 6).raw(7, 8, 9).write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(more))
                .hasMessage("net.param: 'net.bin' has 40 bytes, but the network takes 36");
        Path less = product().tagged(1, 2, 3, 4, 5, 6).raw(7).write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(less))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("layer 'l'")
                .hasMessageContaining("it needs 8 bytes from offset 28");
    }

    @Test
    void withoutWeightsEverythingIsUnknown() throws IOException {
        assertThat(result(product())).containsOnly(Float.NaN);
        NcnnNet up = NcnnNet.of(2, 2, 1).layer("Deconvolution", "0=1 1=2 3=2 6=4");
        assertThat(up.run(folder, new float[4], 1, 1, 2, 2).toFloatArray())
                .hasSize(16)
                .containsOnly(Float.NaN);
    }

    /** A convolution tells the channels; rows and columns are those of the run. */
    @Test
    void sizesOfInputsMayBeLeftOut() throws IOException {
        NcnnNet net = new NcnnNet()
                .line("Input in 0 1 x")
                .line("Split s 1 2 x a b")
                .line("Convolution c 1 1 a y 0=1 1=1 6=2")
                .line("BinaryOp m 2 1 y b z 0=2");
        Path file = net.tagged(1, 2).write(folder);
        assertThat(Importers.builtIn().read(file).inputs().get(0).type().toString())
                .startsWith("1x2x?x?");
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 1, 2, 1, 2);
        assertThat(NcnnNet.run(file, Map.of("x", x)).get("z"))
                .satisfies(z -> assertThat(z.toFloatArray()).containsExactly(7, 20, 21, 40));
        assertThatThrownBy(() -> read("7767517\n2 2\nInput in 0 1 x\nFlatten f 1 1 x y\n"))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("layer 'in'")
                .hasMessageContaining("how many axes it has is not known");
    }

    @Test
    void listsAndNumbersAsNewerFilesHaveThem() throws IOException {
        NcnnNet net = NcnnNet.of(3).layer("InnerProduct", "0=1 2=3 9=3 10=-1.0,2.5e2 -23330=2,1,1");
        assertThat(result(net.tagged(1, 1, 2))).containsExactly(211);
        NcnnNet bits = NcnnNet.of(3).layer("ReLU", "0=1056964608");
        assertThat(bits.run(folder, new float[] {-2, 0, 3}, 1, 3).toFloatArray())
                .containsExactly(-1, 0, 3);
    }

    @Test
    void allUnknownLayersAreNamedAtOnce() {
        String text = """
                7767517
                4 4
                Input in 0 1 x 0=3
                Fancy a 1 1 x y
                ReLU r 1 1 y z
                Odd b 1 1 z w 0=1
                """;
        assertThatThrownBy(() -> read(text))
                .isExactlyInstanceOf(UnsupportedException.class)
                .hasMessage("net.param: 2 layers cannot be used: line 4, layer 'a' (Fancy): Clinfer has no layer Fancy;"
                        + " line 6, layer 'b' (Odd): Clinfer has no layer Odd");
        assertThatThrownBy(() -> read("7767517\n2 2\nInput in 0 1 x 0=3\nReLU r 1 1 x y 7=1\n"))
                .hasMessage("net.param: line 4, layer 'r' (ReLU): layer ReLU with parameter 7=1 is not supported");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'1 1\nReLU r 1 1 x y'|line 3, layer 'r' (ReLU): its input 'x' is given by no layer before it",
                "'2 2\nReLU r 1 1 s y\nReLU s 1 1 y s'|line 3, layer 'r' (ReLU): its input 's' is given by no layer before it",
                "'2 2\nInput a 0 1 x 0=1\nReLU r 1 1 x x'|line 4, layer 'r' (ReLU): the blob 'x' is given twice",
                "'2 2\nInput a 0 1 x 0=1\nReLU a 1 1 x y'|line 4, layer 'a' (ReLU): there is a layer of this name before it",
                "'9 9\nInput a 0 1 x 0=1'|it says that it has 9 layers, but has 1",
                "'1 1\nInput a 0 1 x 0=1\nReLU r 1 1 x y'|it says that it has 1 layers, but has 2",
                "'999999999999 1'|line 2: expected the numbers of layers and blobs, found '999999999999 1'",
                "'-1 1'|line 2: expected the numbers of layers and blobs, found '-1 1'",
                "''|it ends before the number of its layers",
                "'1 1\nConcat c 999999999 1 x y'|line 3, layer 'c' (Concat): it takes 999999999 blobs and gives 1, but the line ends after 2 words",
                "'1 1\nConcat c -1 1 x'|line 3: expected a layer's type, its name, and how many blobs it takes and gives, found 'Concat c -1 1 x'",
                "'1 1\nInput a 0 1 x 0=-3'|line 3, layer 'a' (Input): parameter 0: expected a number from 0 on, found -3",
                "'1 1\nInput a 0 1 x 2=3'|line 3, layer 'a' (Input): parameter 1: it is missing, but an axis outside of it is given",
                "'1 1\nInput a 0 1 x 0=1 0=2'|line 3, layer 'a' (Input): the parameter 0 is given twice",
                "'1 1\nInput a 0 1 x size=2'|line 3, layer 'a' (Input): expected NUMBER=VALUE, found 'size=2'",
                "'1 1\nInput a 0 1 x -23304=3,1,2'|line 3, layer 'a' (Input): parameter 4: a list of '3' elements has 2",
                "'1 1\nInput a 0 1 x 0=1'|the network has no outputs",
                "'2 2\nInput a 0 1 x 0=1\nReLU r 1 1 x y 0=1'|line 4, layer 'r' (ReLU): parameter 0: expected a number with a decimal point or exponent, found '1'",
                "'2 2\nInput a 0 1 x 0=1\nReLU r 1 1 x y -23300=1,1.0'|line 4, layer 'r' (ReLU): parameter 0: expected one value, found a list of 1",
                "'2 2\nInput a 0 1 x 0=4 1=4 2=2\nConvolution c 1 1 x y 0=3 1=3 6=50'|line 4, layer 'c' (Convolution): parameter 6: 50 weights do not fit 3 outputs in 1 groups and a window of [3, 3]",
                "'2 2\nInput a 0 1 x 0=4 1=4 2=2\nConvolution c 1 1 x y 0=3 1=2147483647 6=54'|line 4, layer 'c' (Convolution): its window of [2147483647, 2147483647] is too large",
                "'2 2\nInput a 0 1 x 2=2000000000 1=1 0=1\nScale s 1 1 x y 0=2000000000'|line 4, layer 's' (Scale): it has 2000000000 channels, more than the 4194304 that there may be",
                "'2 2\nInput a 0 1 x 0=40000 1=40000 2=7\nYolov3DetectionOutput s 1 1 x y 0=2 1=1 -23306=1,8.0'|line 4, layer 's' (Yolov3DetectionOutput): it has 40000 x 40000 cells of 8.0 pixels, with 1 boxes each",
                "'2 2\nInput a 0 1 x 0=4 1=4 2=2\nSlice s 1 1 x y -23300=1,5'|line 4, layer 's' (Slice): parameter 0: the sizes [5] do not fit 2",
                "'2 2\nInput a 0 1 x 0=4 1=4 2=2\nSoftmax s 1 1 x y 0=3 1=1'|line 4, layer 's' (Softmax): parameter 0: there is no axis 3 where there are 3",
            })
    void mistakesAreNamedWithTheirPlace(String text, String message) {
        assertThatThrownBy(() -> read("7767517\n" + text + "\n"))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.param: " + message);
    }

    @Test
    void otherFilesOfThisEndingAreNoNetworks() throws IOException {
        Path file = Files.writeString(folder.resolve("tool.param"), "speed=3\n");
        assertThat(Importers.builtIn().find(file)).isEmpty();
    }

    /** Damaged files end with a message, never with another exception. */
    @Test
    void damageIsRefused() throws IOException {
        NcnnNet net = NcnnNet.of(4, 4, 2)
                .line("Convolution c 1 1 x a 0=4 1=3 4=1 5=1 6=72 9=2 -23310=1,0.1")
                .line("Pooling p 1 1 a b 1=2 2=2")
                .line("Slice s 1 2 b d e -23300=2,1,-233")
                .line("Reshape r 1 1 d f 0=-1 1=1")
                .line("Concat k 2 1 d e g")
                .line("Interp u 1 1 g h 0=2 1=2.0 2=2.0")
                .line("Softmax m 1 1 h y");
        Path file = net.tagged(new float[72]).raw(1, 2, 3, 4).write(folder);
        assertThat(Importers.builtIn().read(file).outputs()).containsExactly("f", "y");
        byte[] text = Files.readAllBytes(file);
        Random random = new Random(5);
        int refused = 0;
        for (int i = 0; i < 1000; i++) {
            byte[] damaged = text.clone();
            for (int change = 0; change <= random.nextInt(3); change++) {
                damaged[8 + random.nextInt(damaged.length - 8)] = (byte) (32 + random.nextInt(96));
            }
            Files.write(file, damaged);
            Files.write(folder.resolve("net.bin"), Arrays.copyOf(net.weights(), 300 + random.nextInt(12)));
            try {
                Importers.builtIn().read(file);
            } catch (GraphException expected) {
                refused++;
                assertThat(String.valueOf(expected.getMessage()).lines()).hasSize(1);
            }
        }
        assertThat(refused).isGreaterThan(500);
    }
}
