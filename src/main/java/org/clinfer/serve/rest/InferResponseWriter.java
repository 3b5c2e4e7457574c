package org.clinfer.serve.rest;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.serve.ContentShare;
import org.clinfer.serve.Datatype;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/** Writes the answer to a request for inference: JSON, and the outputs that are wanted as bytes after it. */
final class InferResponseWriter {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int INITIAL = 1024;

    private InferResponseWriter() {}

    /**
     * The content of an answer.
     *
     * @param json the JSON
     * @param binary tensors after it, which are views of the response's; none: the content is JSON alone
     */
    record Content(ByteBuffer json, List<ByteBuffer> binary) {

        long bytes() {
            return json.remaining()
                    + binary.stream().mapToLong(ByteBuffer::remaining).sum();
        }
    }

    /** Text whose memory, also while it grows, is counted. */
    private static final class Text extends ByteArrayOutputStream {
        private final ContentShare share;

        Text(ContentShare share) {
            super(INITIAL);
            this.share = share;
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            share.count(2L * length);
            super.write(bytes, from, length);
        }

        ByteBuffer bytes() {
            return ByteBuffer.wrap(buf, 0, count).slice();
        }
    }

    /**
     * The content of the answer to a request.
     *
     * @param share the memory of the request, to which that of the answer is counted
     * @throws RestException for an output whose type JSON, or the protocol, does not have
     */
    static Content content(InferenceResponse response, InferRequestReader.Read read, ContentShare share) {
        share.count(response.outputs().values().stream()
                .mapToLong(tensor -> tensor.type().bytes())
                .sum());
        Text out = new Text(share);
        List<ByteBuffer> binary = new ArrayList<>();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringProperty("model_name", response.model());
            json.writeStringProperty("model_version", response.version());
            response.id().ifPresent(id -> json.writeStringProperty("id", id));
            json.writeArrayPropertyStart("outputs");
            for (Map.Entry<String, Tensor> output : response.outputs().entrySet()) {
                boolean isBinary = read.isBinary(output.getKey());
                write(json, output.getKey(), output.getValue(), isBinary);
                if (isBinary) {
                    binary.add(output.getValue().bytes());
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return new Content(out.bytes(), binary);
    }

    private static void write(JsonGenerator json, String name, Tensor tensor, boolean isBinary) {
        DType type = tensor.dtype();
        if (!Datatype.isSent(type)) {
            throw RestException.invalid("output '" + name + "' is " + type + ", which the protocol does not have");
        }
        if (!isBinary && (type == DType.FLOAT16 || type == DType.BFLOAT16)) {
            throw RestException.invalid("output '" + name + "' is " + Datatype.name(type)
                    + ", which JSON does not have; ask for it with \"binary_data\": true");
        }
        json.writeStartObject();
        json.writeStringProperty("name", name);
        json.writeStringProperty("datatype", Datatype.name(type));
        json.writeArrayPropertyStart("shape");
        for (long size : tensor.shape().sizes()) {
            json.writeNumber(size);
        }
        json.writeEndArray();
        if (isBinary) {
            json.writeObjectPropertyStart("parameters");
            json.writeNumberProperty("binary_data_size", tensor.type().bytes());
            json.writeEndObject();
        } else {
            json.writeArrayPropertyStart("data");
            elements(json, type, tensor.bytes(), tensor.elements());
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void elements(JsonGenerator json, DType type, ByteBuffer memory, long count) {
        for (long i = 0; i < count; i++) {
            switch (type) {
                case FLOAT32 -> single(json, memory.getFloat());
                case FLOAT64 -> number(json, memory.getDouble());
                case BOOL -> json.writeBoolean(memory.get() != 0);
                case INT64 -> json.writeNumber(memory.getLong());
                case UINT64 -> json.writeNumber(new BigInteger(Long.toUnsignedString(memory.getLong())));
                case INT32 -> json.writeNumber(memory.getInt());
                case UINT32 -> json.writeNumber(Integer.toUnsignedLong(memory.getInt()));
                case INT16 -> json.writeNumber(memory.getShort());
                case UINT16 -> json.writeNumber(Short.toUnsignedInt(memory.getShort()));
                case INT8 -> json.writeNumber(memory.get());
                default -> json.writeNumber(Byte.toUnsignedInt(memory.get()));
            }
        }
    }

    /** A float that is no number is a string: JSON has no other way. */
    private static void single(JsonGenerator json, float value) {
        if (Float.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeString(Float.toString(value));
        }
    }

    private static void number(JsonGenerator json, double value) {
        if (Double.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeString(Double.toString(value));
        }
    }
}
