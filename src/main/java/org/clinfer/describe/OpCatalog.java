package org.clinfer.describe;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All operator descriptions known; immutable. */
public final class OpCatalog {

    /** The resource folder of the descriptions that come with Clinfer. */
    static final String FOLDER = "org/clinfer/operators";

    /** Other spellings of names of operators in OpLib: its contents and its headings differ. */
    private static final Map<String, String> OTHER_SPELLINGS = Map.of(
            "DeepHiTile", "DeePhiTile",
            "DeepPhiTile", "DeePhiTile",
            "DeepHiDownsample", "DeePhiDownsample",
            "PReLU", "PRelu");

    private final Contents contents;

    /** Descriptions by operator. */
    interface Contents {

        /** The names of all operators, in the order of their files. */
        Set<String> names();

        @Nullable
        OpDescription operator(String optype);

        /** In the order to try them, the reference last. */
        List<VariantDescription> variants(String optype);
    }

    /** Descriptions that were read. */
    private record Described(Map<String, OpDescription> operators, Map<String, List<VariantDescription>> variants)
            implements Contents {

        @Override
        public Set<String> names() {
            return operators.keySet();
        }

        @Override
        public @Nullable OpDescription operator(String optype) {
            return operators.get(optype);
        }

        @Override
        public List<VariantDescription> variants(String optype) {
            return variants.getOrDefault(optype, List.of());
        }
    }

    private OpCatalog(Contents contents) {
        this.contents = contents;
    }

    /** Finds the built-in descriptions on first use. */
    private static final class BuiltIn {
        static final OpCatalog CATALOG = new OpCatalog(new BuiltInOperators());
    }

    /** The operators that come with Clinfer; each is read when it is asked for. */
    public static OpCatalog builtIn() {
        return BuiltIn.CATALOG;
    }

    /** A catalogue without operators. */
    public static OpCatalog empty() {
        return new OpCatalog(new Described(Map.of(), Map.of()));
    }

    /**
     * The operators of the {@code .json} files of a folder alone.
     *
     * @throws DescriptionException if a file cannot be read
     */
    public static OpCatalog of(Path folder) {
        return empty().with(folder);
    }

    /**
     * This catalogue and the {@code .json} files of a folder; new variants of a known operator are tried first.
     *
     * @throws DescriptionException if a file cannot be read, or describes an operator that is known already
     */
    public OpCatalog with(Path folder) {
        return with(DescriptionFiles.inFolder(folder));
    }

    /**
     * Both catalogues in one; the variants of {@code added} are tried first.
     *
     * @throws DescriptionException if both describe an operator of the same name
     */
    public OpCatalog merge(OpCatalog added) {
        List<VariantDescription> all = new ArrayList<>();
        added.contents.names().forEach(optype -> all.addAll(added.contents.variants(optype)));
        Mistakes mistakes = new Mistakes();
        OpCatalog catalog = with(added.operators(), all, mistakes);
        mistakes.throwIfAny();
        return catalog;
    }

    /** All descriptions of a resource folder, read and verified at once. */
    static OpCatalog load(ClassLoader loader) {
        return empty().with(DescriptionFiles.inResources(loader, FOLDER));
    }

    /** This catalogue and the descriptions of files, given as name to content. */
    OpCatalog with(Map<String, byte[]> files) {
        DescriptionFolder folder = DescriptionFolder.read(files);
        OpCatalog catalog = with(folder.operators(), folder.variants(), folder.mistakes());
        folder.verifyUnused(catalog);
        folder.mistakes().throwIfAny();
        return catalog;
    }

    private OpCatalog with(List<OpDescription> newOperators, List<VariantDescription> newVariants, Mistakes mistakes) {
        Map<String, OpDescription> allOperators = new LinkedHashMap<>();
        Set<String> wrong = new HashSet<>();
        operators().forEach(op -> allOperators.put(op.optype(), op));
        for (OpDescription op : newOperators) {
            OpDescription known = allOperators.put(op.optype(), op);
            if (known != null) {
                mistakes.add(op.source() + ": operator " + op.optype() + " is described already in " + known.source());
            }
            if (!NameRules.verify(op, mistakes)) {
                wrong.add(op.optype());
            }
        }
        newVariants.forEach(variant -> {
            if (!wrong.contains(variant.inherits())) {
                Optional<OpDescription> op = Optional.ofNullable(allOperators.get(variant.inherits()));
                DescriptionFolder.verify(variant, op, mistakes);
            }
        });
        return mistakes.isEmpty() ? joined(allOperators, newVariants, mistakes) : this;
    }

    /** This catalogue with operators and variants that are right each for itself. */
    private OpCatalog joined(
            Map<String, OpDescription> allOperators, List<VariantDescription> newVariants, Mistakes mistakes) {
        List<VariantDescription> knownVariants = contents.names().stream()
                .flatMap(optype -> contents.variants(optype).stream())
                .toList();
        Map<String, List<VariantDescription>> allVariants = new LinkedHashMap<>();
        Stream.concat(newVariants.stream(), knownVariants.stream())
                .forEach(variant -> mistakes.collect(() -> add(allVariants, variant)));
        if (mistakes.isEmpty()) {
            mistakes.collect(() -> requireUnique(allOperators.values(), knownVariants, newVariants));
        }
        allVariants.replaceAll((optype, list) -> referenceLast(list));
        OpCatalog catalog = new OpCatalog(new Described(allOperators, allVariants));
        if (mistakes.isEmpty()) {
            CompositionRules.verify(catalog, mistakes);
        }
        return catalog;
    }

    /** An optype is that of one abstract operator or of one variant. */
    private static void requireUnique(
            Collection<OpDescription> operators, List<VariantDescription> known, List<VariantDescription> added) {
        Map<String, String> sources = new HashMap<>();
        operators.forEach(op -> sources.put(op.optype(), op.source()));
        Stream.concat(known.stream(), added.stream()).forEach(variant -> {
            String other = sources.put(variant.optype(), variant.source());
            if (other != null) {
                throw new DescriptionException(variant.source() + ": the optype " + variant.optype() + " of variant '"
                        + variant.variant() + "' of " + variant.inherits() + " is taken already in " + other);
            }
        });
    }

    private static void add(Map<String, List<VariantDescription>> variants, VariantDescription variant) {
        List<VariantDescription> list = variants.computeIfAbsent(variant.inherits(), optype -> new ArrayList<>());
        for (VariantDescription other : list) {
            if (other.variant().equals(variant.variant())
                    && other.body().getClass().equals(variant.body().getClass())) {
                throw new DescriptionException(variant.source() + ": variant '" + variant.variant() + "' of "
                        + variant.inherits() + " is described already in " + other.source());
            }
        }
        list.add(variant);
    }

    static List<VariantDescription> referenceLast(List<VariantDescription> variants) {
        List<VariantDescription> ordered = new ArrayList<>();
        variants.stream().filter(variant -> !variant.isReference()).forEach(ordered::add);
        variants.stream().filter(VariantDescription::isReference).forEach(ordered::add);
        return List.copyOf(ordered);
    }

    /** The abstract operator of this name. */
    public Optional<OpDescription> find(String optype) {
        return Optional.ofNullable(contents.operator(optype));
    }

    /** The abstract operator that a model's author means by this name, which may be another spelling of OpLib's. */
    public Optional<OpDescription> meant(String optype) {
        return find(optype).or(() -> find(OTHER_SPELLINGS.getOrDefault(optype, "")));
    }

    /** The OpenCL variants of an abstract operator in the order to try them, the reference last. */
    public List<VariantDescription> variants(String optype) {
        return variants(optype, VariantDescription.Launches.class);
    }

    /** The forms of an abstract operator that the CPU computes element by element, in the order to try them. */
    public List<VariantDescription> elementForms(String optype) {
        return variants(optype, VariantDescription.Elements.class);
    }

    /** The ways in which an abstract operator is composed of others, in the order to try them. */
    public List<VariantDescription> compositions(String optype) {
        return variants(optype, VariantDescription.Parts.class);
    }

    /**
     * The operator whose kernels and code run this one: itself, or the single part of its only composition where it has
     * no kernels and no element forms of its own.
     */
    public OpDescription lowered(OpDescription op) {
        List<VariantDescription> compositions = compositions(op.optype());
        if (compositions.size() != 1
                || !variants(op.optype()).isEmpty()
                || !elementForms(op.optype()).isEmpty()) {
            return op;
        }
        List<PartDescription> parts =
                ((VariantDescription.Parts) compositions.get(0).body()).ops();
        return parts.size() != 1 || parts.get(0).isConstant()
                ? op
                : lowered(find(parts.get(0).optype()).orElseThrow());
    }

    private List<VariantDescription> variants(String optype, Class<? extends VariantDescription.Body> kind) {
        return contents.variants(optype).stream()
                .filter(variant -> kind.isInstance(variant.body()))
                .toList();
    }

    /** All abstract operators, in the order of their files. */
    public List<OpDescription> operators() {
        return contents.names().stream()
                .map(optype -> find(optype).orElseThrow())
                .toList();
    }
}
