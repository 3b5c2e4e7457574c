package org.clinfer.serve.rest;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.clinfer.serve.ContentShare;
import org.clinfer.serve.Datatype;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the elements of a tensor from JSON, straight into its memory: one list, or lists within one another as its shape says.
 * Floats that are no numbers are the strings {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}, or stand without quotes
 * as some programs write them.
 */
final class TensorReader {

    private static final long BYTE = 0xFF;

    private final String name;
    private final TensorType type;
    private final JsonParser parser;
    private final ByteBuffer memory;
    private final long[] sizes;
    private final long elements;
    private long read;

    private TensorReader(String name, Tensor tensor, JsonParser parser) {
        this.name = name;
        this.type = tensor.type();
        this.parser = parser;
        this.memory = tensor.bytes();
        this.sizes = tensor.shape().sizes();
        this.elements = tensor.elements();
    }

    /**
     * The type of a tensor.
     *
     * @param most elements that the request can have, by its size
     * @throws RestException for a size that is negative, or more elements than that
     */
    static TensorType type(String name, DType dtype, Shape shape, long most) {
        TensorType type = new TensorType(dtype, shape);
        if (!type.fits() || shape.elements() > most) {
            throw RestException.invalid(shown(name) + " has fewer elements than its shape says");
        }
        return type;
    }

    /**
     * The tensor at the parser's token; afterwards the parser is at its last one.
     *
     * @param share from which its memory is taken
     */
    static Tensor read(String name, TensorType type, JsonParser parser, ContentShare share) {
        if (type.dtype() == DType.FLOAT16 || type.dtype() == DType.BFLOAT16) {
            throw RestException.invalid(
                    shown(name) + " is " + Datatype.name(type.dtype()) + ", which JSON has not; it is sent as bytes");
        }
        Tensor tensor = allocate(type, share);
        TensorReader reader = new TensorReader(name, tensor, parser);
        reader.all();
        return tensor;
    }

    /** A tensor whose memory is taken from a request's share. */
    static Tensor allocate(TensorType type, ContentShare share) {
        share.take(type.bytes());
        return Tensor.allocate(type);
    }

    static String shown(String name) {
        return "tensor '" + Printable.shortened(name) + "'";
    }

    private void all() {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw RestException.invalid(shown(name) + ": data must be a list");
        }
        JsonToken first = parser.nextToken();
        if (first == JsonToken.START_ARRAY && sizes.length > 0) {
            level(0);
        } else {
            row(elements);
        }
        if (read != elements) {
            throw count(read < elements);
        }
    }

    /** The list of an axis, after whose beginning the parser stands. */
    private void level(int axis) {
        if (axis == sizes.length - 1) {
            row(sizes[axis]);
            return;
        }
        for (long i = 0; i < sizes[axis]; i++) {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                throw nesting();
            }
            parser.nextToken();
            level(axis + 1);
            parser.nextToken();
        }
        if (parser.currentToken() != JsonToken.END_ARRAY) {
            throw nesting();
        }
    }

    private RestException nesting() {
        return RestException.invalid(shown(name) + ": the lists of data are not those of its shape " + type.shape());
    }

    private RestException count(boolean tooFew) {
        return RestException.invalid(shown(name) + ": data has " + (tooFew ? "fewer" : "more") + " elements than the "
                + elements + " of its shape " + type.shape());
    }

    private void row(long count) {
        for (long i = 0; i < count; i++) {
            JsonToken token = parser.currentToken();
            if (token == JsonToken.END_ARRAY) {
                throw count(true);
            }
            element(token);
            read++;
            parser.nextToken();
        }
        if (parser.currentToken() != JsonToken.END_ARRAY) {
            throw parser.currentToken() == JsonToken.START_ARRAY ? nesting() : count(false);
        }
    }

    private void element(JsonToken token) {
        switch (type.dtype()) {
            case FLOAT32 -> memory.putFloat(single(token));
            case FLOAT64 -> memory.putDouble(number(token));
            case BOOL -> memory.put((byte) (logical(token) ? 1 : 0));
            case INT64 -> memory.putLong(whole(token));
            case UINT64 -> memory.putLong(unsigned(token));
            case INT32, UINT32 -> memory.putInt((int) ranged(token));
            case INT16, UINT16 -> memory.putShort((short) ranged(token));
            default -> memory.put((byte) (ranged(token) & BYTE));
        }
    }

    private RestException wrong() {
        return RestException.invalid(shown(name) + ": '" + Printable.shortened(String.valueOf(parser.getString()))
                + "' is no " + Datatype.name(type.dtype()));
    }

    private float single(JsonToken token) {
        if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
            return (float) special(token);
        }
        float value = parser.getFloatValue();
        if (Float.isInfinite(value) && !parser.isNaN()) {
            throw wrong();
        }
        return value;
    }

    private double number(JsonToken token) {
        if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
            return special(token);
        }
        double value = parser.getDoubleValue();
        if (Double.isInfinite(value) && !parser.isNaN()) {
            throw wrong();
        }
        return value;
    }

    private double special(JsonToken token) {
        String text = token == JsonToken.VALUE_STRING ? parser.getString() : "";
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> throw wrong();
        };
    }

    private boolean logical(JsonToken token) {
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
            throw wrong();
        }
        return token == JsonToken.VALUE_TRUE;
    }

    private long whole(JsonToken token) {
        if (token != JsonToken.VALUE_NUMBER_INT || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw wrong();
        }
        return parser.getLongValue();
    }

    private long unsigned(JsonToken token) {
        if (token == JsonToken.VALUE_NUMBER_INT && parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            BigInteger value = parser.getBigIntegerValue();
            if (value.signum() >= 0 && value.bitLength() <= Long.SIZE) {
                return value.longValue();
            }
            throw wrong();
        }
        long value = whole(token);
        if (value < 0) {
            throw wrong();
        }
        return value;
    }

    private long ranged(JsonToken token) {
        long value = whole(token);
        if (value < type.dtype().lowest() || value > type.dtype().highest()) {
            throw wrong();
        }
        return value;
    }
}
