package org.clinfer.importer.caffe;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.importer.caffe.proto.BlobShape;
import org.clinfer.importer.caffe.proto.LayerParameter;
import org.clinfer.importer.caffe.proto.NetParameter;
import org.clinfer.tensor.Tensor;

/** A network as a test writes it: a definition, and weights by layer. */
final class CaffeNet {

    private final StringBuilder text = new StringBuilder();
    private final NetParameter.Builder weights = NetParameter.newBuilder();

    /** A network with an input {@code x}. */
    static CaffeNet input(long... dims) {
        CaffeNet net = new CaffeNet();
        net.text.append("input: 'x'\ninput_shape {");
        for (long dim : dims) {
            net.text.append(" dim: ").append(dim);
        }
        net.text.append(" }\n");
        return net;
    }

    /** A definition of its own. */
    static CaffeNet of(String definition) {
        CaffeNet net = new CaffeNet();
        net.text.append(definition);
        return net;
    }

    /** A layer from {@code x} to {@code y}. */
    CaffeNet layer(String type, String params) {
        text.append("layer { name: 'l' type: '").append(type).append("' bottom: 'x' top: 'y' ");
        text.append(params).append(" }\n");
        return this;
    }

    CaffeNet blob(String layer, float[] values, long... dims) {
        return blob(layer, floats(values).setShape(shape(dims)).build());
    }

    CaffeNet blob(String layer, BlobProto blob) {
        int last = weights.getLayerCount() - 1;
        if (last < 0 || !weights.getLayer(last).getName().equals(layer)) {
            weights.addLayer(LayerParameter.newBuilder().setName(layer));
            last++;
        }
        weights.getLayerBuilder(last).addBlobs(blob);
        return this;
    }

    static BlobShape shape(long... dims) {
        BlobShape.Builder shape = BlobShape.newBuilder();
        for (long dim : dims) {
            shape.addDim(dim);
        }
        return shape.build();
    }

    static BlobProto.Builder floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return BlobProto.newBuilder().addData(ByteString.copyFrom(bytes.flip()));
    }

    static ByteString doubles(double value) {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value);
        return ByteString.copyFrom(bytes.flip());
    }

    /** Writes the network as files of this name and gives the definition's. */
    Path write(Path folder, String name) throws IOException {
        if (weights.getLayerCount() > 0) {
            Files.write(folder.resolve(name + ".caffemodel"), weights.build().toByteArray());
        }
        return Files.writeString(folder.resolve(name + ".prototxt"), text);
    }

    /** The outputs of a run on the CPU. */
    static Map<String, Tensor> run(Path model, Map<String, Tensor> inputs) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            return run(engine, model, inputs);
        }
    }

    static Map<String, Tensor> run(Engine engine, Path model, Map<String, Tensor> inputs) {
        try (Model loaded = engine.load(model);
                Session session = loaded.session();
                Result result = session.run(inputs)) {
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            return outputs;
        }
    }

    /** The only output for the input {@code x}. */
    Tensor run(Path folder, float[] x, long... dims) throws IOException {
        Map<String, Tensor> outputs = run(write(folder, "net"), Map.of("x", Tensor.of(x, dims)));
        return List.copyOf(outputs.values()).get(0);
    }
}
