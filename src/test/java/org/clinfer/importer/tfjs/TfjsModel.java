package org.clinfer.importer.tfjs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Writes functional models as TensorFlow.js does; strings of JSON are written with single quotes. */
public final class TfjsModel {

    /** The one file of weights. */
    public static final String WEIGHTS = "group1-shard1of1.bin";

    private final Random random = new Random(5);
    private final List<String> inputs = new ArrayList<>();
    private final List<String> layers = new ArrayList<>();
    private List<String> outputs = List.of();
    private final Map<String, Tensor> weights = new LinkedHashMap<>();
    private final List<String> specs = new ArrayList<>();
    private String version = "2.7.0";

    /** An input layer; -1 stands for a size that is not known. */
    public TfjsModel input(String name, long... sizes) {
        String shape = Arrays.stream(sizes)
                .mapToObj(size -> size < 0 ? "null" : Long.toString(size))
                .collect(Collectors.joining(","));
        inputs.add(name);
        layers.add("{'class_name':'InputLayer','config':{'batch_input_shape':[" + shape + "],'dtype':'float32','name':'"
                + name + "'},'name':'" + name + "','inbound_nodes':[]}");
        return this;
    }

    /**
     * A layer that is used once; it is the output unless another follows.
     *
     * @param config its fields without braces
     * @param taken names of the layers whose outputs it takes
     */
    public TfjsModel layer(String kind, String name, String config, String... taken) {
        String refs =
                Arrays.stream(taken).map(each -> "['" + each + "',0,0,{}]").collect(Collectors.joining(","));
        return layerCalled(kind, name, config, "[[" + refs + "]]");
    }

    /** A layer with its {@code inbound_nodes}. */
    public TfjsModel layerCalled(String kind, String name, String config, String calls) {
        String more = config.isEmpty() ? "" : "," + config;
        layers.add("{'class_name':'" + kind + "','config':{'name':'" + name + "','trainable':true" + more + "},'name':'"
                + name + "','inbound_nodes':" + calls + "}");
        outputs = List.of(name);
        return this;
    }

    public TfjsModel outputs(String... names) {
        outputs = List.of(names);
        return this;
    }

    public TfjsModel version(String kerasVersion) {
        version = kerasVersion;
        return this;
    }

    /** A float32 weight of random elements between -1 and 1. */
    public TfjsModel weight(String name, long... sizes) {
        float[] values = new float[Math.toIntExact(Shape.of(sizes).elements())];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat() * 2 - 1;
        }
        return weight(name, Tensor.of(values, sizes));
    }

    public TfjsModel weight(String name, Tensor value) {
        weights.put(name, value);
        specs.add("{'name':'" + name + "','shape':"
                + Arrays.toString(value.shape().sizes()) + ",'dtype':'" + value.dtype() + "'}");
        return this;
    }

    Tensor weight(String name) {
        return Objects.requireNonNull(weights.get(name));
    }

    /** The elements of all weights, as the file has them. */
    public byte[] data() {
        int bytes = weights.values().stream()
                .mapToInt(each -> each.bytes().remaining())
                .sum();
        ByteBuffer all = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        weights.values().forEach(each -> all.put(each.bytes()));
        return all.array();
    }

    String manifest() {
        return "[{'paths':['" + WEIGHTS + "'],'weights':[" + String.join(",", specs) + "]}]";
    }

    /** The network as a layer's {@code config} has it. */
    String config(String name) {
        return "{'name':'" + name + "','layers':[" + String.join(",", layers) + "],'input_layers':" + refs(inputs)
                + ",'output_layers':" + refs(outputs) + "}";
    }

    private static String refs(List<String> names) {
        return names.stream().map(each -> "['" + each + "',0,0]").collect(Collectors.joining(",", "[", "]"));
    }

    /** The document. */
    public String json() {
        return document("{'class_name':'Functional','config':" + config("model") + "}", manifest(), version);
    }

    static String document(String network, String manifest, String version) {
        return ("{'format':'layers-model','generatedBy':'test','convertedBy':null,'modelTopology':{'keras_version':'"
                        + version + "','backend':'tensorflow','model_config':" + network + "},'weightsManifest':"
                        + manifest + "}")
                .replace('\'', '"');
    }

    /** Writes the model; the result is its {@code model.json}. */
    public Path write(Path folder) throws IOException {
        Files.write(folder.resolve(WEIGHTS), data());
        return Files.writeString(folder.resolve("model.json"), json());
    }
}
