package org.clinfer.describe;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.expr.Expr;
import org.clinfer.tensor.DType;

/**
 * The places where an operator runs for each element type of its main tensor: the input that gives the type of the
 * first output, else the first input whose elements are data, else the output itself.
 */
public final class TypeSupport {

    /** The types that operators are listed for. */
    public static final List<DType> TYPES = List.of(
            DType.INT8,
            DType.INT16,
            DType.INT32,
            DType.INT64,
            DType.UINT8,
            DType.UINT16,
            DType.UINT32,
            DType.UINT64,
            DType.FLOAT16,
            DType.BFLOAT16,
            DType.FLOAT32,
            DType.FLOAT64,
            DType.BOOL);

    /** Begins the reason where the description of an input has no {@code dtype_doc}. */
    static final String UNDOCUMENTED = "not described for this type: only ";

    /** The places where a type runs. */
    public enum Place {
        BOTH("both", "OpenCL and CPU"),
        FP64("fp64", "CPU, and OpenCL where the device has cl_khr_fp64"),
        OPENCL("opencl", "OpenCL alone"),
        CPU("cpu", "CPU alone"),
        NONE("-", "nowhere");

        private final String shown;
        private final String meaning;

        Place(String shown, String meaning) {
            this.shown = shown;
            this.meaning = meaning;
        }

        /** The word for the place in tables. */
        public String shown() {
            return shown;
        }

        public String meaning() {
            return meaning;
        }
    }

    /**
     * The places where one type runs, and the reason why not everywhere.
     *
     * @param reason empty for {@link Place#BOTH} alone
     */
    public record Cell(Place place, String reason) {}

    private final OpDescription op;
    private final OpDescription form;
    private final List<VariantDescription> variants;
    private final boolean cpu;
    private final List<VariantDescription> forms;
    private final Map<DType, Cell> cells = new EnumMap<>(DType.class);

    private TypeSupport(
            OpDescription op,
            OpDescription form,
            List<VariantDescription> variants,
            boolean cpu,
            List<VariantDescription> forms) {
        this.op = op;
        this.form = form;
        this.forms = List.copyOf(forms);
        this.variants = List.copyOf(variants);
        this.cpu = cpu;
    }

    /**
     * The places of an operator.
     *
     * @param variants its OpenCL variants
     * @param cpu whether the CPU has it; it then takes all types of the description
     */
    public static TypeSupport of(OpDescription op, List<VariantDescription> variants, boolean cpu) {
        return of(op, variants, cpu, List.of());
    }

    /**
     * The places of an operator.
     *
     * @param variants its OpenCL variants
     * @param cpu whether the CPU has it; it then takes all types of the description
     * @param forms its forms that the CPU computes element by element
     */
    public static TypeSupport of(
            OpDescription op, List<VariantDescription> variants, boolean cpu, List<VariantDescription> forms) {
        return of(op, op, variants, cpu, forms);
    }

    /**
     * The places of an operator of a catalogue; those of what it is lowered to, where it is.
     *
     * @param onCpu names of the operators that are implemented on the CPU
     */
    public static TypeSupport of(OpCatalog catalog, OpDescription op, Set<String> onCpu) {
        OpDescription form = catalog.lowered(op);
        return of(
                op,
                form,
                catalog.variants(form.optype()),
                onCpu.contains(form.optype()),
                catalog.elementForms(form.optype()));
    }

    private static TypeSupport of(
            OpDescription op,
            OpDescription form,
            List<VariantDescription> variants,
            boolean cpu,
            List<VariantDescription> forms) {
        TypeSupport support = new TypeSupport(op, form, variants, cpu, forms);
        TYPES.forEach(type -> support.cells.put(type, support.decide(type)));
        return support;
    }

    /** The support for a type of the main tensor. */
    public Cell cell(DType type) {
        Cell cell = cells.get(type);
        if (cell == null) {
            throw new IllegalArgumentException("operators are not listed for " + type);
        }
        return cell;
    }

    /** The types of {@link #TYPES} and what they do, in order. */
    public Map<DType, Cell> cells() {
        Map<DType, Cell> ordered = new LinkedHashMap<>();
        TYPES.forEach(type -> ordered.put(type, cell(type)));
        return ordered;
    }

    /** The types a variant takes on a device that has cl_khr_fp64. */
    public List<DType> types(VariantDescription variant) {
        return TYPES.stream()
                .filter(type -> isAllowed(type)
                        && new VariantTypes(form, variant, true).refusal(type).isEmpty())
                .toList();
    }

    /** The main tensor's name. */
    public String argument() {
        return main().map(InputDescription::name)
                .orElseGet(
                        () -> op.outputs().isEmpty() ? "" : op.outputs().get(0).name());
    }

    private Optional<InputDescription> main() {
        Optional<InputDescription> giver = op.outputs().stream()
                .limit(1)
                .flatMap(output -> op.inputs().stream()
                        .filter(input -> output.dtype().names().contains(input.name())))
                .findFirst();
        return giver.or(
                () -> op.inputs().stream().filter(input -> !input.value()).findFirst());
    }

    private Cell decide(DType type) {
        if (!isAllowed(type)) {
            return new Cell(Place.NONE, whyNotAllowed(type));
        }
        List<String> refusals = refusals(type, false);
        boolean onCpu = isOnCpu(type);
        if (refusals.size() < variants.size()) {
            return onCpu ? new Cell(Place.BOTH, "") : new Cell(Place.OPENCL, "the CPU does not have the operator");
        }
        List<String> withDouble = refusals(type, true);
        if (withDouble.size() < variants.size()) {
            return new Cell(onCpu ? Place.FP64 : Place.OPENCL, refusals.get(refusals.size() - 1));
        }
        String why = withDouble.isEmpty() ? "there is no OpenCL kernel" : withDouble.get(withDouble.size() - 1);
        return new Cell(onCpu ? Place.CPU : Place.NONE, why);
    }

    private boolean isOnCpu(DType type) {
        return cpu
                || forms.stream()
                        .anyMatch(computed -> new VariantTypes(form, computed, true)
                                .refusal(type)
                                .isEmpty());
    }

    /** The reasons of those variants that do not take a type. */
    private List<String> refusals(DType type, boolean hasDouble) {
        return variants.stream()
                .flatMap(variant -> new VariantTypes(form, variant, hasDouble).refusal(type).stream())
                .toList();
    }

    private boolean isAllowed(DType type) {
        return allowed().isEmpty() || allowed().contains(type);
    }

    /** The types of the main tensor; empty means any. */
    private List<DType> allowed() {
        Optional<InputDescription> main = main();
        if (main.isPresent()) {
            return main.get().dtypes();
        }
        return op.outputs().stream()
                .limit(1)
                .flatMap(output -> op.param(output.dtype().asName()).stream())
                .flatMap(param -> param.oneOf().stream())
                .flatMap(label -> DType.of(label).stream())
                .toList();
    }

    private String whyNotAllowed(DType type) {
        if (type == DType.BOOL) {
            return "a bool is not a number";
        }
        if (allowed().equals(List.of(DType.BOOL))) {
            return "only truth values can be combined logically";
        }
        if (type == DType.UINT64 && allowed().containsAll(TypeGroup.NUMERIC.types())) {
            return "sums of products, windows and weights are those of numbers with a sign";
        }
        String doc = main().map(InputDescription::dtypeDoc).orElse("");
        return doc.isEmpty() ? UNDOCUMENTED + labels(allowed()) : doc;
    }

    /** Type names in a row. */
    public static String labels(List<DType> types) {
        return types.stream().map(DType::label).collect(Collectors.joining(", "));
    }

    /** {@return whether an expression looks at element types} */
    static boolean isAboutTypes(Expr expression) {
        return expression.source().contains("dtype");
    }
}
