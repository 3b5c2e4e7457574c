package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.expr.Value;
import org.clinfer.tensor.DType;
import tools.jackson.core.JacksonException;

/** Reads the JSON of one description file. */
final class DescriptionReader {

    /** The abstract operators and the variants of one file, in file order. */
    record Contents(List<OpDescription> operators, List<VariantDescription> variants, Unused unused) {}

    /** Those of {@code autogen} false. */
    record Unused(List<OpDescription> operators, List<VariantDescription> variants) {}

    private final String file;
    private final List<OpDescription> operators = new ArrayList<>();
    private final List<VariantDescription> variants = new ArrayList<>();
    private final Unused unused = new Unused(new ArrayList<>(), new ArrayList<>());

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
        return read(json, new JsonReader.Origin(file, false));
    }

    /** Reads the bytes of a file that is perhaps known to be sound. */
    static Contents read(byte[] json, JsonReader.Origin origin) {
        String file = origin.file();
        Object root;
        try {
            root = JsonTree.read(json, file);
        } catch (JacksonException malformed) {
            String at = malformed.getLocation() == null
                    ? ""
                    : "line " + malformed.getLocation().getLineNr() + ", column "
                            + malformed.getLocation().getColumnNr() + ": ";
            throw new DescriptionException(file + ": " + at + malformed.getOriginalMessage(), malformed);
        }
        DescriptionReader reader = new DescriptionReader(file);
        JsonReader top = new JsonReader(root, origin, "");
        if (!top.has("ops")) {
            throw new DescriptionException(file + ": field 'ops' is missing");
        }
        // for editors
        top.text("$schema", "");
        top.objects("ops", reader::operator);
        top.expectNothingElse();
        return new Contents(List.copyOf(reader.operators), List.copyOf(reader.variants), reader.unused);
    }

    private String operator(JsonReader json) {
        String arch = json.text("arch");
        boolean used = json.flag("autogen").orElse(true);
        if (arch.equals("none")) {
            OpDescription operator = abstractOperator(json);
            (used ? operators : unused.operators()).add(operator);
            return arch;
        }
        VariantDescription variant = switch (arch) {
            case "opencl" -> variant(json, arch, VariantReader::launches);
            case "cpu" -> variant(json, arch, VariantReader::elements);
            case "graph" -> variant(json, arch, VariantReader::parts);
            default -> throw json.failureAt("arch", "expected one of none, opencl, cpu, graph, found '" + arch + "'");
        };
        List<Setting> settings = arch.equals("opencl") ? json.objects("settings", Setting::read) : List.of();
        if (settings.size() > 1) {
            throw json.failureAt("settings", "expected one setting at most, found " + settings.size());
        }
        List<VariantDescription> all =
                settings.isEmpty() ? List.of(variant) : settings.get(0).of(variant);
        (used ? variants : unused.variants()).addAll(all);
        return arch;
    }

    /** A whole number that a variant is free to choose: the first as a rule, the others where tuning finds them better. */
    private record Setting(String name, List<Value.Int> values) {

        static Setting read(JsonReader json) {
            List<Value.Int> values = json.wholeNumbers("values");
            if (values.isEmpty()) {
                throw json.failureAt("values", "expected one whole number or more");
            }
            return new Setting(json.name("name"), values);
        }

        List<VariantDescription> of(VariantDescription variant) {
            List<VariantDescription> all = new ArrayList<>();
            all.add(variant.with(name, values.get(0)));
            values.stream().skip(1).forEach(value -> all.add(variant.alternative(name, value)));
            return all;
        }
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
                json.flag("elementwise").orElse(false),
                json.flag("moves").orElse(false),
                json.has("cpu_work")
                        ? Optional.of(json.constant("cpu_work", CpuWork.values(), CpuWork::label))
                        : Optional.empty(),
                json.objects("tensors_in", DescriptionReader::input),
                json.objects("params", ParamReader::param),
                json.objects("extra_privs", DescriptionReader::priv),
                json.checks(),
                json.objects("tensors_out", DescriptionReader::output),
                json.expression("calc_offset"),
                json.expression("multiply_adds"),
                file);
    }

    private VariantDescription variant(
            JsonReader json, String arch, Function<JsonReader, VariantDescription.Body> body) {
        return new VariantDescription(
                json.name("optype"),
                json.text("author"),
                json.text("inherits"),
                json.name("variant"),
                arch.equals("opencl") ? VariantReader.deviceKind(json) : Optional.empty(),
                "",
                json.objects("tensors_in", rules -> inputRules(rules, arch)),
                json.checks(),
                json.objects("extra_privs", DescriptionReader::priv),
                json.objects("tensors_out", scratch -> VariantReader.scratch(scratch, arch)),
                body.apply(json),
                json.text("doc", ""),
                file);
    }

    private static InputDescription input(JsonReader json) {
        return input(json, MemoryKind.read(json, "none"));
    }

    /** An input of the abstract operator again, with the further rules of a variant; its mtype may be left out. */
    private static InputDescription inputRules(JsonReader json, String arch) {
        return input(json, json.has("mtype") ? MemoryKind.read(json, arch) : MemoryKind.LN_MEM_NONE);
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
        Optional<Object> node = json.find("dtype");
        if (node.isEmpty()) {
            return List.of();
        }
        List<String> labels = node.get() instanceof String ? List.of(json.text("dtype")) : json.texts("dtype");
        List<DType> dtypes = new ArrayList<>();
        for (String label : labels) {
            dtypes.addAll(dtypes(label, json));
        }
        return dtypes.stream().distinct().toList();
    }

    /** The data types that a label stands for: one, or the members of a group. */
    private static List<DType> dtypes(String label, JsonReader json) {
        return switch (label) {
            case "integer" -> TypeGroup.INTEGER.types();
            case "floating" -> TypeGroup.FLOATING.types();
            case "numeric" -> TypeGroup.NUMERIC.types();
            case "any" -> TypeGroup.ANY.types();
            default ->
                List.of(DType.of(label)
                        .orElseThrow(() -> json.failureAt(
                                "dtype",
                                "there is no data type '" + label
                                        + "', and no group of this name (integer, floating, numeric, any)")));
        };
    }

    static PrivDescription priv(JsonReader json) {
        return new PrivDescription(
                json.constant(
                        "type", PrivDescription.Type.values(), t -> t.name().toLowerCase(Locale.ROOT)),
                json.name("name"),
                json.requiredExpression("value"));
    }

    private static OutputDescription output(JsonReader json) {
        boolean dimsAreList = json.find("dims").filter(List.class::isInstance).isEmpty();
        if (!json.text("cleanup", "").isEmpty()) {
            throw json.failureAt("cleanup", "there is nothing to clean up: Clinfer owns all memory; expected \"\"");
        }
        if (json.flag("static").orElse(false)) {
            throw json.failureAt(
                    "static",
                    "an output is computed in every run; what is computed once is a tensor of a variant's own, which "
                            + "static_run fills; expected false");
        }
        return new OutputDescription(
                json.name("arg_name"),
                MemoryKind.read(json, "none"),
                VariantReader.dtype(json),
                dimsAreList ? List.of(json.requiredExpression("dims")) : json.expressions("dims"),
                dimsAreList,
                json.expression("ndim"),
                json.expression("len"),
                json.text("owner", ""),
                json.flag("optional").orElse(false),
                json.flag("variadic").orElse(false),
                json.checks(),
                json.text("doc", ""));
    }
}
