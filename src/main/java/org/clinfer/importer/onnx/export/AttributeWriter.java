package org.clinfer.importer.onnx.export;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.TensorProto;

/** Collects the attributes of one ONNX node. */
final class AttributeWriter {

    private final List<AttributeProto> values = new ArrayList<>();

    AttributeWriter put(String name, long value) {
        values.add(attribute(name, AttributeType.INT).setI(value).build());
        return this;
    }

    AttributeWriter put(String name, boolean value) {
        return put(name, value ? 1L : 0L);
    }

    AttributeWriter put(String name, double value) {
        values.add(attribute(name, AttributeType.FLOAT).setF((float) value).build());
        return this;
    }

    AttributeWriter put(String name, String value) {
        values.add(attribute(name, AttributeType.STRING)
                .setS(ByteString.copyFromUtf8(value))
                .build());
        return this;
    }

    AttributeWriter put(String name, long[] value) {
        values.add(attribute(name, AttributeType.INTS)
                .addAllInts(Arrays.stream(value).boxed().toList())
                .build());
        return this;
    }

    AttributeWriter put(String name, double[] value) {
        AttributeProto.Builder attribute = attribute(name, AttributeType.FLOATS);
        Arrays.stream(value).forEach(each -> attribute.addFloats((float) each));
        values.add(attribute.build());
        return this;
    }

    AttributeWriter put(String name, List<String> value) {
        AttributeProto.Builder attribute = attribute(name, AttributeType.STRINGS);
        value.forEach(each -> attribute.addStrings(ByteString.copyFromUtf8(each)));
        values.add(attribute.build());
        return this;
    }

    AttributeWriter put(String name, TensorProto value) {
        values.add(attribute(name, AttributeType.TENSOR).setT(value).build());
        return this;
    }

    AttributeWriter put(String name, GraphProto value) {
        values.add(
                attribute(name, AttributeType.GRAPH).setG(value.toByteString()).build());
        return this;
    }

    private static AttributeProto.Builder attribute(String name, AttributeType type) {
        return AttributeProto.newBuilder().setName(name).setType(type);
    }

    /** The attributes that were put. */
    List<AttributeProto> list() {
        return values;
    }
}
