package org.clinfer.describe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.clinfer.expr.Expr;
import org.clinfer.expr.Scope;
import org.clinfer.expr.Value;
import org.clinfer.tensor.DType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the JSON of one description file. */
final class DescriptionReader {

    /** The abstract operators and the variants of one file, in file order. */
    record Contents(List<OpDescription> operators, List<VariantDescription> variants) {}

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(64)
                            .maxDocumentLength(8L << 20)
                            .maxStringLength(1 << 16)
                            .maxNameLength(1 << 10)
                            .maxNumberLength(100)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final String file;
    private final List<OpDescription> operators = new ArrayList<>();
    private final List<VariantDescription> variants = new ArrayList<>();

    private DescriptionReader(String file) {
        this.file = file;
    }

    /**
     * Reads a file's bytes.
     *
     * @param file its name for messages
     * @throws DescriptionException if anything in it is wrong
     */
    static Contents read(byte[] json, String file) {
        JsonNode root;
        try {
            root = MAPPER.readTree(json);
        } catch (JacksonException malformed) {
            String at = malformed.getLocation() == null
                    ? ""
                    : "line " + malformed.getLocation().getLineNr() + ", column "
                            + malformed.getLocation().getColumnNr() + ": ";
            throw new DescriptionException(file + ": " + at + malformed.getOriginalMessage(), malformed);
        }
        DescriptionReader reader = new DescriptionReader(file);
        JsonReader top = new JsonReader(root, file, "");
        if (!top.has("ops")) {
            throw new DescriptionException(file + ": field 'ops' is missing");
        }
        // for editors
        top.text("$schema", "");
        top.objects("ops", reader::operator);
        top.expectNothingElse();
        return new Contents(List.copyOf(reader.operators), List.copyOf(reader.variants));
    }

    private String operator(JsonReader json) {
        String arch = json.text("arch");
        boolean used = json.flag("autogen").orElse(true);
        if (arch.equals("none")) {
            OpDescription operator = abstractOperator(json);
            (used ? operators : new ArrayList<OpDescription>()).add(operator);
            return arch;
        }
        VariantDescription variant = switch (arch) {
            case "opencl" -> variant(json, VariantReader::launches);
            case "cpu" -> variant(json, VariantReader::elements);
            case "graph" -> variant(json, VariantReader::parts);
            default -> throw json.failureAt("arch", "expected one of none, opencl, cpu, graph, found '" + arch + "'");
        };
        (used ? variants : new ArrayList<VariantDescription>()).add(variant);
        return arch;
    }

    private OpDescription abstractOperator(JsonReader json) {
        if (!json.has("tensors_in") || !json.has("tensors_out")) {
            String missing = json.has("tensors_in") ? "tensors_out" : "tensors_in";
            throw json.failureAt("", "field '" + missing + "' is missing");
        }
        return new OpDescription(
                json.name("optype"),
                json.text("author"),
                json.text("doc", ""),
                json.objects("tensors_in", DescriptionReader::input),
                json.objects("params", DescriptionReader::param),
                json.objects("extra_privs", DescriptionReader::priv),
                json.checks(),
                json.objects("tensors_out", DescriptionReader::output),
                json.expression("calc_offset"),
                file);
    }

    private VariantDescription variant(JsonReader json, Function<JsonReader, VariantDescription.Body> body) {
        return new VariantDescription(
                json.name("optype"),
                json.text("author"),
                json.text("inherits"),
                json.name("variant"),
                json.objects("tensors_in", DescriptionReader::inputRules),
                json.checks(),
                json.objects("extra_privs", DescriptionReader::priv),
                json.objects("tensors_out", VariantReader::scratch),
                body.apply(json),
                json.text("doc", ""),
                file);
    }

    private static InputDescription input(JsonReader json) {
        return input(json, json.constant("mtype", MemoryKind.values(), MemoryKind::name));
    }

    /** An input of the abstract operator again, with the further rules of a variant; its mtype may be left out. */
    private static InputDescription inputRules(JsonReader json) {
        return input(
                json,
                json.has("mtype")
                        ? json.constant("mtype", MemoryKind.values(), MemoryKind::name)
                        : MemoryKind.LN_MEM_NONE);
    }

    private static InputDescription input(JsonReader json, MemoryKind memory) {
        return new InputDescription(
                json.name("arg_name"),
                memory,
                dtypes(json),
                json.text("dtype_doc", ""),
                json.expression("ndim"),
                json.expression("len"),
                json.text("sametype", ""),
                json.text("sameshape", ""),
                json.text("owner", ""),
                json.flag("static"),
                json.flag("optional").orElse(false),
                json.flag("variadic").orElse(false),
                json.flag("value").orElse(false),
                json.checks(),
                json.text("doc", ""));
    }

    private static List<DType> dtypes(JsonReader json) {
        Optional<JsonNode> node = json.find("dtype");
        if (node.isEmpty()) {
            return List.of();
        }
        List<String> labels = node.get().isString() ? List.of(json.text("dtype")) : json.texts("dtype");
        List<DType> dtypes = new ArrayList<>();
        for (String label : labels) {
            dtypes.addAll(dtypes(label, json));
        }
        return dtypes.stream().distinct().toList();
    }

    /** The data types that a label stands for: one, or the members of a group. */
    private static List<DType> dtypes(String label, JsonReader json) {
        return switch (label) {
            case "integer" -> typesWhere(DType::isInteger);
            case "floating" -> typesWhere(DType::isFloating);
            case "numeric" -> typesWhere(type -> type.isInteger() || type.isFloating());
            case "any" -> typesWhere(type -> type != DType.U1);
            default ->
                List.of(DType.of(label)
                        .orElseThrow(() -> json.failureAt(
                                "dtype",
                                "there is no data type '" + label
                                        + "', and no group of this name (integer, floating, numeric, any)")));
        };
    }

    private static List<DType> typesWhere(Predicate<DType> wanted) {
        return Arrays.stream(DType.values()).filter(wanted).toList();
    }

    private static ParamDescription param(JsonReader json) {
        String name = json.name("arg_name");
        ParamType type = json.constant("ptype", ParamType.values(), ParamType::name);
        boolean mapped = json.has("from_func");
        if (json.has("realtype") && !type.isNumber() && !mapped) {
            throw json.failureAt(
                    "realtype",
                    "only numbers, and strings with a from_func, have a realtype, and the ptype is " + type);
        }
        if (mapped && !type.isText()) {
            throw json.failureAt("from_func", "only strings have a from_func, and the ptype is " + type);
        }
        Optional<RealType> realType = type.isNumber() || mapped
                ? Optional.of(json.constant(
                        "realtype", RealType.values(), t -> t.name().toLowerCase(Locale.ROOT)))
                : Optional.empty();
        ParamDescription param = new ParamDescription(
                name,
                type,
                realType,
                fromFunc(json),
                byDefault(json, type),
                json.texts("one_of"),
                json.text("from_input", ""),
                json.expression("len"),
                bounds(json, type),
                json.checks(),
                json.text("doc", ""));
        verify(json, param);
        return param;
    }

    private static void verify(JsonReader json, ParamDescription param) {
        if (param.len().isPresent() && !param.type().isArray()) {
            throw json.failureAt("len", "only arrays have a len, and the ptype is " + param.type());
        }
        if (!param.oneOf().isEmpty() && !param.type().isText()) {
            throw json.failureAt("one_of", "only strings have a one_of, and the ptype is " + param.type());
        }
        if (param.byDefault().filter(Expr::isConstant).isPresent()) {
            Value constant = param.byDefault().get().evaluate(Scope.empty());
            if (!constant.isAbsent() && ParamValues.convert(param, constant).isEmpty()) {
                throw json.wrongValue("default", param.expected());
            }
        }
    }

    /** The name of a function of one string, or an expression in which the string is called {@code value}. */
    private static Optional<Expr> fromFunc(JsonReader json) {
        return json.find("from_func").map(node -> {
            String source = json.text("from_func");
            boolean function = source.matches("[A-Za-z_][A-Za-z0-9_]*") && !source.equals("value");
            return json.parse(function ? source + "(value)" : source, "from_func");
        });
    }

    /** A string is the value itself for a string parameter, and an expression for any other. */
    private static Optional<Expr> byDefault(JsonReader json, ParamType type) {
        return json.find("default").map(node -> {
            boolean expression = node.isString() && type != ParamType.LN_PARAM_STRING;
            return expression
                    ? json.requiredExpression("default")
                    : Expr.constant(JsonValues.of(node, json.where("default")));
        });
    }

    private static List<Bound> bounds(JsonReader json, ParamType type) {
        List<Bound> bounds = new ArrayList<>();
        for (Bound.Relation relation : Bound.Relation.values()) {
            String field = relation.name().toLowerCase(Locale.ROOT);
            Optional<JsonNode> node = json.find(field);
            if (node.isEmpty()) {
                continue;
            }
            if (!type.isNumber() && !json.has("from_func")) {
                throw json.failureAt(field, "only numbers have bounds, and the ptype is " + type);
            }
            Expr limit = node.get().isArray() ? Expr.constant(json.numbers(field)) : json.requiredExpression(field);
            bounds.add(new Bound(relation, limit));
        }
        return bounds;
    }

    static PrivDescription priv(JsonReader json) {
        return new PrivDescription(
                json.constant(
                        "type", PrivDescription.Type.values(), t -> t.name().toLowerCase(Locale.ROOT)),
                json.name("name"),
                json.requiredExpression("value"));
    }

    private static OutputDescription output(JsonReader json) {
        boolean dimsAreList = json.find("dims").filter(JsonNode::isArray).isEmpty();
        if (!json.text("cleanup", "").isEmpty()) {
            throw json.failureAt("cleanup", "there is nothing to clean up: Clinfer owns all memory; expected \"\"");
        }
        return new OutputDescription(
                json.name("arg_name"),
                json.constant("mtype", MemoryKind.values(), MemoryKind::name),
                VariantReader.dtype(json),
                dimsAreList ? List.of(json.requiredExpression("dims")) : json.expressions("dims"),
                dimsAreList,
                json.expression("ndim"),
                json.expression("len"),
                json.text("owner", ""),
                json.flag("static").orElse(false),
                json.flag("optional").orElse(false),
                json.flag("variadic").orElse(false),
                json.checks(),
                json.text("doc", ""));
    }
}
