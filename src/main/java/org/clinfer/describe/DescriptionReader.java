package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;

/** Reads the operators and variants of one description file. */
final class DescriptionReader {

    /** Abstract operators and variants of one file, in file order. */
    record Contents(List<OpDescription> operators, List<VariantDescription> variants, Unused unused) {}

    /** Those of {@code autogen} false. */
    record Unused(List<OpDescription> operators, List<VariantDescription> variants) {}

    /** Of an abstract operator. */
    private static final String NONE = "none";
    /** Of variants. */
    private static final List<String> ARCHS = List.of("opencl", "cpu", "graph");

    private final String file;
    private final String author;
    private final List<OpDescription> operators = new ArrayList<>();
    private final List<VariantDescription> variants = new ArrayList<>();
    private final Unused unused = new Unused(new ArrayList<>(), new ArrayList<>());

    /**
     * Reads no operator yet.
     *
     * @param author who wrote what names no author; empty where everything has to
     */
    DescriptionReader(String file, String author) {
        this.file = file;
        this.author = author;
    }

    /** The operators and variants of a file. */
    Contents contents() {
        return new Contents(List.copyOf(operators), List.copyOf(variants), unused);
    }

    /** Reads one object of a file: an operator with the variants in it, or a variant. */
    String operator(JsonReader json) {
        String arch = arch(json, json.decisiveText("arch"), true);
        boolean used = json.flag("autogen").orElse(true);
        if (arch.equals(NONE)) {
            int before = json.mistakes().leftOut();
            OpDescription operator = abstractOperator(json);
            boolean complete = json.mistakes().leftOut() == before;
            if (complete) {
                (used ? operators : unused.operators()).add(operator);
            }
            json.objects("variants", variant -> variantOf(operator, used, variant));
        } else {
            Identity identity =
                    new Identity(json.name("optype"), author(json), json.text("inherits"), json.name("variant"), arch);
            variants(json, identity, used);
        }
        return arch;
    }

    private static String arch(JsonReader json, String arch, boolean orNone) {
        if (ARCHS.contains(arch) || (orNone && arch.equals(NONE))) {
            return arch;
        }
        String known = (orNone ? NONE + ", " : "") + String.join(", ", ARCHS);
        throw json.failureAt("arch", "expected one of " + known + ", found '" + arch + "'");
    }

    private String author(JsonReader json) {
        return author.isEmpty() ? json.text("author") : json.text("author", author);
    }

    /** A variant among the fields of its operator, which need not be said again. */
    private String variantOf(OpDescription operator, boolean used, JsonReader json) {
        String variant = json.name("variant");
        String optype = json.has("optype") ? json.name("optype") : operator.optype() + "_" + variant;
        Identity identity = new Identity(
                optype,
                json.text("author", operator.author()),
                operator.optype(),
                variant,
                arch(json, json.text("arch", "opencl"), false));
        variants(json, identity, used && json.flag("autogen").orElse(true));
        return variant;
    }

    /** The identity of a variant. */
    private record Identity(String optype, String author, String inherits, String variant, String arch) {}

    private void variants(JsonReader json, Identity identity, boolean used) {
        int before = json.mistakes().leftOut();
        VariantDescription variant = switch (identity.arch()) {
            case "opencl" -> variant(json, identity, VariantReader::launches);
            case "cpu" -> variant(json, identity, VariantReader::elements);
            default -> variant(json, identity, VariantReader::parts);
        };
        List<Setting> settings = identity.arch().equals("opencl") ? json.objects("settings", Setting::read) : List.of();
        if (settings.size() > 1) {
            throw json.failureAt("settings", "expected one setting at most, found " + settings.size());
        }
        if (json.mistakes().leftOut() > before) {
            return;
        }
        List<VariantDescription> all =
                settings.isEmpty() ? List.of(variant) : settings.get(0).of(variant);
        (used ? variants : unused.variants()).addAll(all);
    }

    /** A whole number that a variant is free to choose: the first as a rule, the others where tuning finds them better. */
    private record Setting(String name, List<ExpressionValue.Int> values) {

        static Setting read(JsonReader json) {
            List<ExpressionValue.Int> values = json.wholeNumbers("values");
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
        json.expect("tensors_in", "tensors_out");
        // taken from descriptions of users that have it, without effect
        json.text("cpu_work", "");
        return new OpDescription(
                json.name("optype"),
                author(json),
                json.text("doc", ""),
                json.flag("elementwise").orElse(false),
                json.flag("moves").orElse(false),
                json.text("layout", ""),
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
            JsonReader json, Identity identity, Function<JsonReader, VariantDescription.Body> body) {
        String arch = identity.arch();
        return new VariantDescription(
                identity.optype(),
                identity.author(),
                identity.inherits(),
                identity.variant(),
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
                json.text("zero_border", ""),
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
            default -> {
                Optional<DType> dtype = DType.of(label);
                if (dtype.isEmpty()) {
                    json.note(json.failureAt(
                            "dtype",
                            "there is no data type '" + label
                                    + "', and no group of this name (integer, floating, numeric, any)"));
                }
                yield dtype.stream().toList();
            }
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
