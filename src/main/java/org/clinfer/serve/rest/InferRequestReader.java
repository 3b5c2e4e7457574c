package org.clinfer.serve.rest;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.serve.Datatype;
import org.clinfer.serve.InferenceRequest;
import org.clinfer.serve.RefusedParameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.JsonFault;
import org.clinfer.text.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Reads a request for inference: JSON, token by token, and the tensors that follow it as bytes. Unknown fields are passed over. */
final class InferRequestReader {

    private static final String SHAPE = "shape";
    private static final int MAX_RANK = 32;
    private static final int MAX_DEPTH = 64;
    private static final int MAX_TENSORS = 4096;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(400)
                    .maxStringLength(1 << 16)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final Body body;
    private final Map<String, Tensor> inputs = new LinkedHashMap<>();
    private final Map<String, Optional<Boolean>> outputs = new LinkedHashMap<>();
    private final List<TensorFields> tensors = new ArrayList<>();
    private Optional<String> id = Optional.empty();
    private Optional<Duration> timeout = Optional.empty();
    private boolean binaryOutputs;

    /** The fields of an input, which stand in any order. */
    private static final class TensorFields {
        private @Nullable String name;
        private @Nullable String datatype;
        private @Nullable Shape shape;
        private @Nullable Tensor tensor;
        private long dataAt = -1;
        private long binarySize = -1;
        private boolean binary;

        private String lacks() {
            List<String> missing = new ArrayList<>();
            if (name == null) {
                missing.add("'name'");
            }
            if (shape == null) {
                missing.add("'shape'");
            }
            if (datatype == null) {
                missing.add("'datatype'");
            }
            String shown = name == null ? "an input" : "input '" + Printable.shortened(name) + "'";
            return shown + " lacks " + String.join(" and ", missing);
        }

        private @Nullable TensorType type(long most) {
            if (name == null || datatype == null || shape == null) {
                return null;
            }
            String written = datatype;
            String shown = TensorReader.shown(name);
            DType dtype = Datatype.parse(written)
                    .orElseThrow(() -> RestException.invalid(shown + ": " + Datatype.unknown(written)));
            return TensorReader.type(name, dtype, shape, most);
        }
    }

    /**
     * A request as the service takes it, and which of its outputs are wanted as bytes.
     *
     * @param outputs what is said of each that is named; none: all are wanted
     * @param binary the answer for outputs of which nothing is said
     */
    record Read(InferenceRequest request, Map<String, Optional<Boolean>> outputs, boolean binary) {

        boolean isBinary(String output) {
            return outputs.getOrDefault(output, Optional.empty()).orElse(binary);
        }
    }

    private boolean hasInputs;

    private InferRequestReader(Body body) {
        this.body = body;
    }

    /** @throws RestException if it is malformed */
    static Read read(Body body, String model, Optional<String> version) {
        return new InferRequestReader(body).read(model, version);
    }

    private Read read(String model, Optional<String> version) {
        expect(body.length() > 0, "the content is empty, but must be a JSON object");
        try (JsonParser parser = JSON.createParser(body.json().array(), 0, body.length())) {
            boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
            expect(parser.currentTokenLocation().getByteOffset() >= 0, "the JSON must be in UTF-8");
            expect(isObject, "the request must be a JSON object");
            fields(parser, field -> field(parser, field));
            expect(parser.nextToken() == null, "the JSON goes on after its end");
            expect(hasInputs, "the request has no 'inputs', the list of the tensors that the model takes");
            finish();
        } catch (JacksonException malformed) {
            throw RestException.invalid(
                    "the JSON is malformed: " + Printable.message(JsonFault.of(malformed.getOriginalMessage())));
        }
        InferenceRequest request =
                new InferenceRequest(model, version, id, inputs, Set.copyOf(outputs.keySet()), timeout);
        return new Read(request, outputs, binaryOutputs);
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw RestException.invalid(otherwise);
        }
    }

    private void field(JsonParser parser, String field) {
        switch (field) {
            case "id" -> id = Optional.of(text(parser, "id"));
            case "inputs" -> {
                hasInputs = true;
                objects(parser, "inputs", () -> input(parser));
            }
            case "outputs" -> objects(parser, "outputs", () -> output(parser));
            case "parameters" ->
                parameters(parser, "the request", name -> {
                    switch (name) {
                        case "binary_data_output" -> binaryOutputs = bool(parser, name);
                        case "timeout" -> timeout = micros(parser);
                        default -> parser.skipChildren();
                    }
                });
            default -> parser.skipChildren();
        }
    }

    private static String text(JsonParser parser, String field) {
        expect(parser.currentToken() == JsonToken.VALUE_STRING, "'" + field + "' must be a string");
        return parser.getString();
    }

    private static void objects(JsonParser parser, String field, Runnable each) {
        expect(parser.currentToken() == JsonToken.START_ARRAY, "'" + field + "' must be a list");
        for (int count = 0; parser.nextToken() != JsonToken.END_ARRAY; count++) {
            expect(parser.currentToken() == JsonToken.START_OBJECT, "'" + field + "' must be a list of objects");
            expect(count < MAX_TENSORS, "'" + field + "' has more than " + MAX_TENSORS + " tensors");
            each.run();
        }
    }

    /** @param owner the owner of the parameters, as messages name it */
    private static void parameters(JsonParser parser, String owner, FieldReader reader) {
        objectFields(parser, "parameters", name -> {
            RefusedParameters.refusal(name).ifPresent(refusal -> {
                throw RestException.invalid(owner + " " + refusal);
            });
            reader.read(name);
        });
    }

    private static Optional<Duration> micros(JsonParser parser) {
        long micros = size(parser, "timeout");
        return micros == 0 ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
    }

    private interface FieldReader {
        void read(String name);
    }

    private static void objectFields(JsonParser parser, String field, FieldReader reader) {
        expect(parser.currentToken() == JsonToken.START_OBJECT, "'" + field + "' must be an object");
        fields(parser, reader);
    }

    /** The fields of an object at whose beginning the parser stands; one that is null is as good as none. */
    private static void fields(JsonParser parser, FieldReader reader) {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                reader.read(name);
            }
        }
    }

    private static boolean bool(JsonParser parser, String field) {
        JsonToken token = parser.currentToken();
        expect(
                token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE,
                "'" + field + "' must be true or false");
        return token == JsonToken.VALUE_TRUE;
    }

    private static long size(JsonParser parser, String field) {
        boolean isSize = parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
                && parser.getLongValue() >= 0;
        if (!isSize) {
            String text = Printable.shortened(String.valueOf(parser.getString()));
            String found = parser.currentToken() == JsonToken.VALUE_STRING ? "the string '" + text + "'" : text;
            throw RestException.invalid(
                    "'" + field + "' must " + (field.equals(SHAPE) ? "have whole numbers" : "be a whole number")
                            + ", not negative, found " + found);
        }
        return parser.getLongValue();
    }

    private void input(JsonParser parser) {
        TensorFields fields = new TensorFields();
        objectFields(parser, "inputs", name -> {
            switch (name) {
                case "name" -> fields.name = text(parser, name);
                case "datatype" -> fields.datatype = text(parser, name);
                case SHAPE -> fields.shape = shape(parser);
                case "data" -> data(parser, fields);
                case "parameters" -> inputParameters(parser, fields);
                default -> parser.skipChildren();
            }
        });
        tensors.add(fields);
    }

    private static void inputParameters(JsonParser parser, TensorFields fields) {
        parameters(parser, "an input", name -> {
            if (name.equals("binary_data_size")) {
                fields.binarySize = size(parser, name);
                fields.binary = true;
            } else {
                parser.skipChildren();
            }
        });
    }

    private static Shape shape(JsonParser parser) {
        expect(parser.currentToken() == JsonToken.START_ARRAY, "'shape' must be a list");
        List<Long> sizes = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            expect(sizes.size() < MAX_RANK, "a shape has at most " + MAX_RANK + " dimensions");
            sizes.add(size(parser, SHAPE));
        }
        return Shape.of(sizes);
    }

    /** Elements are read at once where their type is known, else when it is. */
    private void data(JsonParser parser, TensorFields fields) {
        TensorType type = fields.type(body.length());
        if (type != null && fields.name != null) {
            fields.tensor = TensorReader.read(fields.name, type, parser, body.share());
            fields.dataAt = 0;
        } else {
            fields.dataAt = parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
        }
    }

    private void output(JsonParser parser) {
        List<Boolean> binary = new ArrayList<>();
        List<String> named = new ArrayList<>();
        objectFields(parser, "outputs", field -> {
            if (field.equals("name")) {
                named.add(text(parser, field));
            } else if (field.equals("parameters")) {
                parameters(parser, "an output", parameter -> {
                    if (parameter.equals("binary_data")) {
                        binary.add(bool(parser, parameter));
                    } else {
                        parser.skipChildren();
                    }
                });
            } else {
                parser.skipChildren();
            }
        });
        expect(!named.isEmpty(), "an output has no name");
        expect(!outputs.containsKey(named.get(0)), "an output is named twice");
        outputs.put(named.get(0), binary.stream().findFirst());
    }

    private void finish() {
        ByteBuffer bytes = body.binary();
        for (TensorFields fields : tensors) {
            TensorType type = fields.type(Math.max(body.length(), bytes.limit() * 8L));
            if (type == null || fields.name == null) {
                throw RestException.invalid(fields.lacks());
            }
            Tensor tensor = tensor(fields.name, type, fields, bytes);
            expect(inputs.put(fields.name, tensor) == null, TensorReader.shown(fields.name) + " is given twice");
        }
        expect(!bytes.hasRemaining(), "more bytes follow the JSON than binary_data_size says");
    }

    private Tensor tensor(String name, TensorType type, TensorFields fields, ByteBuffer bytes) {
        expect(
                fields.binary != fields.dataAt >= 0,
                TensorReader.shown(name) + " must have either 'data' or 'binary_data_size'");
        if (fields.binary) {
            return binary(name, type, fields.binarySize, bytes);
        }
        if (fields.tensor != null) {
            return fields.tensor;
        }
        int at = (int) fields.dataAt;
        try (JsonParser parser = JSON.createParser(body.json().array(), at, body.length() - at)) {
            parser.nextToken();
            TensorType checked = TensorReader.type(name, type.dtype(), type.shape(), body.length());
            return TensorReader.read(name, checked, parser, body.share());
        }
    }

    /** Without a copy, where the bytes lie as tensors do. */
    private Tensor binary(String name, TensorType type, long size, ByteBuffer bytes) {
        expect(
                size == type.bytes(),
                TensorReader.shown(name) + " needs " + type.bytes() + " bytes, but binary_data_size is " + size);
        expect(size <= bytes.remaining(), TensorReader.shown(name) + " goes on after the end of the content");
        ByteBuffer own = bytes.slice(bytes.position(), (int) size);
        bytes.position(bytes.position() + (int) size);
        if (own.alignmentOffset(0, Tensor.ALIGNMENT) == 0) {
            return Tensor.wrap(type, own);
        }
        Tensor tensor = TensorReader.allocate(type, body.share());
        tensor.bytes().put(own);
        return tensor;
    }
}
