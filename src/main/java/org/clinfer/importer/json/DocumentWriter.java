package org.clinfer.importer.json;

import java.io.OutputStream;
import java.util.List;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Metadata;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Writes the parts of a document in the order in which they stand in it. */
final class DocumentWriter implements AutoCloseable {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private final JsonGenerator json;

    /** @param out stays open */
    DocumentWriter(OutputStream out) {
        this.json = FACTORY.createGenerator(
                new ObjectWriteContext.Base() {
                    @Override
                    public PrettyPrinter getPrettyPrinter() {
                        return new DocumentLayout();
                    }
                },
                out);
    }

    /** Begins a graph, up to its operators, with the field that names it and what is said about it. */
    void start(String field, String name, Metadata metadata) {
        json.writeStartObject();
        json.writeStringProperty(field, name);
        if (!metadata.isEmpty()) {
            MetadataEntry.write(metadata, json);
        }
        json.writeName("ops");
        json.writeStartArray();
    }

    void end() {
        json.writeEndArray();
        json.writeEndObject();
    }

    void newline() {
        json.writeRaw('\n');
    }

    /** Begins an operator, up to its parameters. */
    void op(String name, String optype, List<OpEntry.Arg> inputs, List<OpEntry.Arg> outputs) {
        json.writeStartObject();
        json.writeStringProperty("name", name);
        json.writeStringProperty("optype", optype);
        args("tensors_in", inputs);
        args("tensors_out", outputs);
        json.writeName("params");
        json.writeStartArray();
    }

    private void args(String field, List<OpEntry.Arg> args) {
        json.writeName(field);
        json.writeStartArray();
        for (OpEntry.Arg arg : args) {
            json.writeStartObject();
            json.writeStringProperty("arg_name", arg.arg());
            json.writeStringProperty("name", arg.value());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Ends the parameters of an operator, behind which its graphs follow. */
    void startBodies() {
        json.writeEndArray();
        json.writeName("bodies");
        json.writeStartArray();
    }

    void endOp() {
        json.writeEndArray();
        json.writeEndObject();
    }

    /** A parameter of a node. */
    void param(String name, Attribute value) {
        startParam(name);
        if (value instanceof Attribute.ListValue list) {
            json.writeStartArray();
            list.values().forEach(this::element);
            json.writeEndArray();
        } else {
            element(value);
        }
        json.writeEndObject();
    }

    private void element(Attribute value) {
        if (value instanceof Attribute.IntValue integer) {
            json.writeNumber(integer.value());
        } else if (value instanceof Attribute.RealValue real) {
            NumberText.special(real.value())
                    .ifPresentOrElse(json::writeString, () -> json.writeNumber(NumberText.shortest(real.value())));
        } else if (value instanceof Attribute.BoolValue bool) {
            json.writeBoolean(bool.value());
        } else if (value instanceof Attribute.TextValue text) {
            json.writeString(text.value());
        } else {
            throw new IllegalArgumentException("a list within a list");
        }
    }

    private void startParam(String name) {
        json.writeStartObject();
        json.writeStringProperty("arg_name", name);
        json.writeName("value");
    }

    /** The sizes and names of dimensions as a parameter. */
    void dims(String name, Shape shape) {
        startParam(name);
        json.writeStartArray();
        for (Dim dim : shape.dims()) {
            if (dim instanceof Dim.Known known) {
                json.writeNumber(known.size());
            } else {
                json.writeString(dim.toString());
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** The elements of a tensor as a parameter. */
    void data(String name, Tensor tensor) {
        startParam(name);
        json.writeStartArray();
        DType dtype = tensor.dtype();
        if (dtype.isFloating()) {
            reals(tensor);
        } else {
            for (long i = 0; i < tensor.elements(); i++) {
                long value = tensor.getLong(i);
                if (dtype == DType.BOOL) {
                    json.writeBoolean(value != 0);
                } else if (dtype == DType.UINT64) {
                    json.writeNumber(Long.toUnsignedString(value));
                } else {
                    json.writeNumber(value);
                }
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void reals(Tensor tensor) {
        DType dtype = tensor.dtype();
        for (int i = 0; i < tensor.elements(); i++) {
            double value = tensor.getDouble(i);
            long bits = NumberText.bits(tensor, i);
            if (Double.isFinite(value)) {
                json.writeNumber(NumberText.shortest(bits, value, dtype));
            } else {
                json.writeString(NumberText.word(bits, value, dtype));
            }
        }
    }

    @Override
    public void close() {
        json.close();
    }
}
