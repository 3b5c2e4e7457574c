package org.clinfer.importer.tfjs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a model of TensorFlow.js is said in terms of its file. */
class MalformedTfjsTest extends TfjsDocuments {

    private void assertMalformed(String network, String manifest, String message) {
        assertThatThrownBy(() -> read(network, manifest))
                .isInstanceOf(GraphException.class)
                .isNotInstanceOf(UnsupportedException.class)
                .hasMessageStartingWith("model.json: ")
                .hasMessageContaining(message);
    }

    /** A network of one input and one layer that takes it. */
    private static String one(String kind, String config, String calls) {
        return "{'class_name':'Functional','config':{'name':'m','layers':["
                + "{'class_name':'InputLayer','config':{'batch_input_shape':[null,4,4,2],'name':'x'},'name':'x',"
                + "'inbound_nodes':[]},{'class_name':'" + kind + "','config':{" + config
                + "},'name':'l','inbound_nodes':"
                + calls + "}],'input_layers':[['x',0,0]],'output_layers':[['l',0,0]]}}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "ReLU||[[[`y`,0,0,{}]]]|layer 1 `l` (ReLU): there is no layer `y`",
                "ReLU||[[[`l`,0,0,{}]]]|layer 1 `l` (ReLU): it takes its own output",
                "ReLU||[[[`x`,1,0,{}]]]|it takes output 1 of the layer `x`, which is used 1 times",
                "ReLU||[[[`x`,0,1,{}]]]|it takes output 1 of `x`, which has 1",
                "ReLU||[[[`x`,-1,0,{}]]]|expected [layer, node, tensor], found -1",
                "ReLU||[[[`x`,0]]]|expected [layer, node, tensor], found [`x`, 0]",
                "ReLU||[]|it takes output 0 of the layer `l`, which is used 0 times",
                "ReLU||[[[`x`,0,0],[`x`,0,0]]]|it takes one input, but is given 2",
                "ReLU||[[]]|it takes one input, but is given 0",
                "ReLU|`negative_slope`:`x`|[[[`x`,0,0]]]|config.negative_slope: expected a number, found `x`",
                "Add||[[[`x`,0,0]]]|it takes two inputs or more, but is given 1",
                "Conv2D|`filters`:2,`kernel_size`:[3,3]|[[[`x`,0,0]]]|its weight `kernel` is not in the manifest",
                "Conv1D|`filters`:2,`kernel_size`:3|[[[`x`,0,0]]]|its input must have 3 axes, but has 4",
                "MaxPooling2D|`pool_size`:[0,2]|[[[`x`,0,0]]]|config.pool_size: expected numbers from 1 below 2^30",
                "MaxPooling2D|`pool_size`:[2,2,2]|[[[`x`,0,0]]]|config.pool_size: expected 2 numbers, found 3",
                "MaxPooling2D|`strides`:[1,1.5]|[[[`x`,0,0]]]|config.strides: expected a whole number, found 1.5",
                "MaxPooling2D|`padding`:`full`|[[[`x`,0,0]]]|config.padding: expected one of valid, same, found `full`",
                "ZeroPadding2D|`padding`:[[1,2,3],[1,1]]|[[[`x`,0,0]]]|expected begin and end of an axis, found [1, 2, 3]",
                "ZeroPadding2D|`padding`:[-1,1]|[[[`x`,0,0]]]|config.padding: expected numbers from 0",
                "Conv2D|`kernel_size`:[3,3]|[[[`x`,0,0]]]|field `config.filters` is missing",
                "Conv2D|`filters`:2|[[[`x`,0,0]]]|field `config.kernel_size` is missing",
                "Conv2DTranspose|`kernel_size`:[3,3]|[[[`x`,0,0]]]|field `config.filters` is missing",
                "Conv2DTranspose|`filters`:2|[[[`x`,0,0]]]|field `config.kernel_size` is missing",
                "DepthwiseConv2D||[[[`x`,0,0]]]|field `config.kernel_size` is missing",
                "SeparableConv2D|`kernel_size`:[3,3]|[[[`x`,0,0]]]|field `config.filters` is missing",
                "SeparableConv2D|`filters`:2|[[[`x`,0,0]]]|field `config.kernel_size` is missing",
                "Dense||[[[`x`,0,0]]]|field `config.units` is missing",
                "Activation||[[[`x`,0,0]]]|field `config.activation` is missing",
                "Permute||[[[`x`,0,0]]]|field `config.dims` is missing",
                "Rescaling||[[[`x`,0,0]]]|field `config.scale` is missing",
                "Reshape||[[[`x`,0,0]]]|field `config.target_shape` is missing",
                "Reshape|`target_shape`:[0]|[[[`x`,0,0]]]|expected sizes from 1 or -1",
                "GroupNormalization|`groups`:0,`scale`:false,`center`:false|[[[`x`,0,0]]]|config.groups is 0",
                "BatchNormalization|`axis`:4,`scale`:false,`center`:false|[[[`x`,0,0]]]|config.axis is 4, but its input has 4",
                "BatchNormalization|`axis`:0|[[[`x`,0,0]]]|config.axis is 0",
            })
    void malformedLayers(String kind, String config, String calls, String message) {
        assertMalformed(
                one(kind, config == null ? "" : config.replace('`', '\''), calls.replace('`', '\'')),
                "[]",
                message.replace('`', '\''));
    }

    @Test
    void malformedNetworks() {
        assertMalformed("{'class_name':'Graph','config':{}}", "[]", "must be Functional, Model or Sequential");
        assertMalformed("{'config':{}}", "[]", "'class_name' is missing");
        assertMalformed("{'class_name':'Functional','config':[]}", "[]", "config: expected an object, found []");
        assertMalformed("{'class_name':'Functional','config':{'layers':[]}}", "[]", "'config.input_layers' is missing");
        assertMalformed(
                "{'class_name':'Functional','config':{'layers':[],'input_layers':[],'output_layers':[]}}",
                "[]",
                "no outputs");
        assertMalformed("{'class_name':'Functional','config':{'layers':[3]}}", "[]", "expected an object, found 3");
        assertMalformed(sequential(), "[]", "it has no layers");
        assertMalformed(sequential(layer("ReLU", "r", "")), "[]", "input 'r_input': it does not say its shape");
        assertMalformed(
                sequential(layer("ReLU", "r", "'batch_input_shape':[null,3]"), layer("ReLU", "r", "")),
                "[]",
                "the name is used twice");
        assertMalformed(
                sequential(
                        layer("ReLU", "r", "'batch_input_shape':[null,3]"),
                        layer("InputLayer", "i", "'batch_input_shape':[null,3]")),
                "[]",
                "an input after the first layer");
        assertMalformed(sequential(layer("ReLU", "r", "'batch_input_shape':[-1,3]")), "[]", "found -1");
        assertMalformed(
                sequential(layer("ReLU", "r", "'batch_input_shape':[4611686018427387904,4]")), "[]", "too large");
        assertMalformed(
                one("ReLU", "", "[[['x',0,0]]]").replace("'input_layers':[['x',0,0]]", "'input_layers':[]"),
                "[]",
                "'x' is not among the inputs of the network");
        assertMalformed(
                one("ReLU", "", "[[['x',0,0]]]").replace("'input_layers':[['x'", "'input_layers':[['l'"),
                "[]",
                "there is no input layer 'l'");
        assertMalformed(
                one("ReLU", "", "[[['x',0,0]]]")
                        .replace("'input_layers':[['x',0,0]]", "'input_layers':[['x',0,0],['x',0,0]]"),
                "[]",
                "'x' is listed twice");
    }

    @Test
    void malformedWeights() throws IOException {
        writeFloats("w.bin", 1, 2, 3, 4);
        String network = sequential(layer("PReLU", "p", "'batch_input_shape':[null,4]"));
        String[][] manifests = {
            {"{}", "weightsManifest: expected a list, found an object"},
            {"[3]", "weightsManifest[0]: : expected an object"},
            {"[{'paths':[3],'weights':[]}]", "expected file names, found 3"},
            {"[{'paths':['gone.bin'],'weights':[]}]", "the external file 'gone.bin' is missing"},
            {"[{'paths':['../w.bin'],'weights':[]}]", "outside the model's folder"},
            {"[{'paths':['/etc/passwd'],'weights':[]}]", "outside the model's folder"},
            {"[{'paths':['a\\u0000b'],'weights':[]}]", "is not a file name"},
            {"[{'paths':['.'],'weights':[]}]", "is not a regular file"},
            {"[{'paths':['w.bin','./w.bin'],'weights':[]}]", "the file './w.bin' is named twice"},
            {"[{'paths':['w.bin'],'weights':[]}]", "its weights have 0 bytes, but its files 16"},
            {"[{'paths':['w.bin'],'weights':[{'name':'p/alpha','shape':[5],'dtype':'float32'}]}]", "it needs 20 bytes"},
            {"[{'paths':['w.bin'],'weights':[{'name':'p/alpha','shape':[-4],'dtype':'float32'}]}]", "sizes from 0"},
            {
                "[{'paths':['w.bin'],'weights':[{'name':'p/alpha','shape':[4294967296,4294967296],'dtype':'float32'}]}]",
                "too large"
            },
            {
                "[{'paths':['w.bin'],'weights':[{'name':'a','shape':[2305843009213693951],'dtype':'float32'},"
                        + "{'name':'b','shape':[2305843009213693951],'dtype':'float32'}]}]",
                "weight 'a': it needs 9223372036854775804 bytes"
            },
            {"[{'paths':['w.bin'],'weights':[{'shape':[4],'dtype':'float32'}]}]", "name: it is missing"},
            {"[{'paths':['w.bin'],'weights':[{'name':'p/alpha','dtype':'float32'}]}]", "shape: it is missing"},
            {"[{'paths':['w.bin'],'weights':[{'name':'p/alpha','shape':[4]}]}]", "dtype: it is missing"},
            {"[{'paths':['w.bin'],'weights':[{'name':'q/alpha','shape':[4],'dtype':'float32'}]}]", "not in the manifest"
            },
            {"[{'paths':['w.bin'],'weights':[{'name':'p/alpha','shape':[2,2],'dtype':'float32'}]}]", "must have 1 axes"
            },
            {
                "[{'paths':['w.bin'],'weights':[{'name':'p/alpha','shape':[2],'dtype':'float32'},"
                        + "{'name':'p/alpha','shape':[2],'dtype':'float32'}]}]",
                "weight 'p/alpha': it is listed twice"
            },
            {
                "[{'paths':['w.bin'],'weights':[{'name':'a/p/alpha','shape':[2],'dtype':'float32'},"
                        + "{'name':'b/p/alpha','shape':[2],'dtype':'float32'}]}]",
                "its weight 'alpha' may be 'a/p/alpha' or 'b/p/alpha'"
            },
        };
        for (String[] manifest : manifests) {
            assertMalformed(network, manifest[0], manifest[1]);
        }
        for (String dtype : List.of(
                "'complex64'",
                "'string'",
                "'float32','quantization':{'dtype':'uint4'}",
                "'bool','quantization':{'dtype':'uint8'}")) {
            assertThatThrownBy(() -> read(
                            network,
                            "[{'paths':['w.bin'],'weights':[{'name':'p/alpha','shape':[4],'dtype':" + dtype + "}]}]"))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageContaining("weight 'p/alpha'");
        }
    }

    @Test
    void aWeightBelongsToOneLayer() throws IOException {
        writeFloats("w.bin", 1, 2, 3, 4);
        String inner = "{'class_name':'Sequential','config':{'name':'%s','layers':["
                + layer("PReLU", "p", "'batch_input_shape':[null,4]") + "]}}";
        assertMalformed(
                sequential(String.format(inner, "a"), String.format(inner, "b")),
                "[{'paths':['w.bin'],'weights':[{'name':'p/alpha','shape':[4],'dtype':'float32'}]}]",
                "its weight 'p/alpha' is that of the layer 'a/p'");
    }

    /** A network that uses a network twelve times, which uses one twelve times, and so on. */
    @Test
    void networksThatMultiply() {
        String network = sequential(layer("ReLU", "r", ""));
        for (int depth = 0; depth < 6; depth++) {
            StringBuilder calls = new StringBuilder("[[['x',0,0]]");
            for (int call = 1; call < 12; call++) {
                calls.append(",[['n',").append(call).append(",0]]");
            }
            network = "{'class_name':'Functional','config':{'name':'m','layers':[{'class_name':'InputLayer','config':"
                    + "{'batch_input_shape':[null,3]},'name':'x','inbound_nodes':[]},"
                    + network.substring(0, network.length() - 1) + ",'name':'n','inbound_nodes':" + calls
                    + "]}],'input_layers':[['x',0,0]],'output_layers':[['n',12,0]]}}";
        }
        assertMalformed(network, "[]", "the network uses layers more than 200000 times");
    }

    @Test
    void nestingAndSizesAreBounded() {
        assertMalformed("{'class_name':'Functional','config':" + "[".repeat(100_000), "[]", "nesting depth");
        assertMalformed("{'class_name':'" + "x".repeat(5000) + "'}", "[]", "a name of 5000 characters");
        assertMalformed(
                "{'class_name':'Sequential','config':[" + "0,".repeat(2_100_000) + "0]}",
                "[]",
                "more than 2000000 values");
    }
}
