package org.clinfer.importer.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.JsonTokens;

/**
 * One element of {@code ops} as it is written.
 *
 * @param source the file, and the element's number, name and operator
 */
record OpEntry(
        String name,
        String optype,
        List<Arg> inputs,
        List<Arg> outputs,
        Map<String, Written> params,
        List<Body> bodies,
        SourceRef source) {

    private static final String FIELDS = "name, optype, tensors_in, tensors_out, params, bodies";

    /** A graph of an operator that runs graphs: the name that it has there and its elements. */
    record Body(String arg, List<OpEntry> ops) {}

    /** The same as an element of a graph that stands at a place. */
    OpEntry within(SourceRef place) {
        SourceRef inner = new SourceRef(source.file(), place.element() + ", " + source.element());
        return new OpEntry(name, optype, inputs, outputs, params, bodies, inner);
    }

    /** A tensor of an operator: the name of the argument and the name of the value. */
    record Arg(String arg, String value) {}

    /** Reads the object whose first token was read; {@code index} is its number from 0. */
    static OpEntry read(JsonTokens tokens, String file, int index) {
        return new Reader(tokens, file).read(index);
    }

    /** Collects the fields of one element. */
    private static final class Reader {

        private final JsonTokens tokens;
        private Optional<String> name = Optional.empty();
        private Optional<String> optype = Optional.empty();
        private final List<Arg> inputs = new ArrayList<>();
        private final List<Arg> outputs = new ArrayList<>();
        private final Map<String, Written> params = new LinkedHashMap<>();
        private final List<Body> bodies = new ArrayList<>();
        private final String file;

        Reader(JsonTokens tokens, String file) {
            this.tokens = tokens;
            this.file = file;
        }

        OpEntry read(int index) {
            String start = tokens.where();
            tokens.object("an operator", this::field);
            SourceRef source = new SourceRef(file, "node " + index + ", " + start);
            String known = name.orElseThrow(() -> missing(source, "name"));
            String op = optype.orElseThrow(() -> missing(source, "optype"));
            SourceRef whole = new SourceRef(file, "node " + index + " '" + known + "' (" + op + ")");
            return new OpEntry(known, op, inputs, outputs, params, bodies, whole);
        }

        private static GraphException missing(SourceRef source, String field) {
            return new GraphException(source, "field '" + field + "' is missing");
        }

        private void field(String field) {
            switch (field) {
                case "name" -> name = Optional.of(tokens.string("a string"));
                case "optype" -> optype = Optional.of(tokens.string("a string"));
                case "tensors_in" -> tokens.list("a list of tensors", () -> inputs.add(arg()));
                case "tensors_out" -> tokens.list("a list of tensors", () -> outputs.add(arg()));
                case "params" -> tokens.list("a list of parameters", this::param);
                case "bodies" -> tokens.list("a list of bodies", () -> bodies.add(body()));
                default -> throw tokens.unknownField(field, FIELDS);
            }
        }

        private Body body() {
            Map<String, String> names = new LinkedHashMap<>();
            List<OpEntry> ops = new ArrayList<>();
            tokens.object("a body", field -> {
                switch (field) {
                    case "arg_name" -> names.put(field, tokens.string("a string"));
                    case "ops" ->
                        tokens.list("a list of operators", () -> ops.add(OpEntry.read(tokens, file, ops.size())));
                    default -> throw tokens.unknownField(field, "arg_name, ops");
                }
            });
            return new Body(required(names, "arg_name"), ops);
        }

        private Arg arg() {
            Map<String, String> fields = new LinkedHashMap<>();
            tokens.object("a tensor", field -> {
                switch (field) {
                    case "arg_name", "name" -> fields.put(field, tokens.string("a string"));
                    default -> throw tokens.unknownField(field, "arg_name, name");
                }
            });
            return new Arg(required(fields, "arg_name"), required(fields, "name"));
        }

        private void param() {
            Map<String, String> names = new LinkedHashMap<>();
            Map<String, Written> values = new LinkedHashMap<>();
            tokens.object("a parameter", field -> {
                switch (field) {
                    case "arg_name" -> names.put(field, tokens.string("a string"));
                    case "value" -> values.put(field, Written.read(tokens));
                    default -> throw tokens.unknownField(field, "arg_name, value");
                }
            });
            String param = required(names, "arg_name");
            if (params.put(param, required(values, "value")) != null) {
                throw tokens.wrong("parameter '" + param + "' is given twice");
            }
        }

        private <T> T required(Map<String, T> fields, String field) {
            T value = fields.get(field);
            if (value == null) {
                throw tokens.wrong("field '" + field + "' is missing");
            }
            return value;
        }
    }
}
