package org.clinfer;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which package may use which, and where foreign libraries may be seen. */
class ArchitectureTest {

    private static final String ROOT = "org.clinfer";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /** What each package may use beside itself: exactly what it needs. {@code .} is the root package alone. */
    private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
            Map.entry("tensor", List.of()),
            Map.entry("device", List.of()),
            Map.entry("errors", List.of("text")),
            Map.entry("text", List.of()),
            Map.entry("options", List.of()),
            Map.entry("image", List.of("errors", "tensor", "text")),
            Map.entry("trace", List.of("errors")),
            Map.entry("tracesinks", List.of("errors", "trace", "text")),
            Map.entry("graph", List.of("errors", "tensor", "text")),
            Map.entry("ops", List.of("describe", "graph", "tensor")),
            Map.entry("importer", List.of("describe", "expr", "graph", "tensor", "text")),
            Map.entry("expr", List.of("errors", "tensor", "text")),
            Map.entry("files", List.of()),
            Map.entry("costs", List.of("files")),
            Map.entry("describe", List.of("errors", "expr", "files", "graph", "tensor", "text")),
            Map.entry("profile", List.of("errors", "device", "expr", "files", "tensor", "text")),
            Map.entry("check", List.of("graph", "profile", "tensor")),
            Map.entry("infer", List.of("check", "describe", "expr", "graph", "tensor")),
            Map.entry("judge", List.of("check", "describe", "expr", "graph", "infer", "profile", "tensor")),
            Map.entry("report", List.of("check", "graph", "profile", "tensor", "text")),
            Map.entry("kernel", List.of("costs", "device", "errors", "expr", "describe", "tensor")),
            Map.entry("place", List.of("infer", "costs", "kernel", "describe", "graph", "device", "tensor")),
            Map.entry(
                    "plan",
                    List.of("place", "infer", "costs", "kernel", "graph", "tensor", "device", "describe", "expr")),
            Map.entry(
                    "predict",
                    List.of("costs", "describe", "device", "graph", "kernel", "place", "plan", "tensor", "infer")),
            Map.entry("cpu", List.of("costs", "errors", "graph", "tensor")),
            Map.entry("opencl", List.of("errors", "cache", "device", "options")),
            Map.entry("cache", List.of("device", "options")),
            Map.entry(
                    "run",
                    List.of(
                            "options",
                            "errors",
                            "cache",
                            "costs",
                            "plan",
                            "kernel",
                            "cpu",
                            "opencl",
                            "place",
                            "infer",
                            "describe",
                            "graph",
                            "tensor",
                            "device",
                            "expr",
                            "trace",
                            "tracesinks")),
            Map.entry(
                    "runtime",
                    List.of(
                            "options",
                            "cache",
                            "check",
                            "costs",
                            "cpu",
                            "describe",
                            "device",
                            "errors",
                            "graph",
                            "infer",
                            "judge",
                            "kernel",
                            "opencl",
                            "place",
                            "plan",
                            "predict",
                            "profile",
                            "run",
                            "tensor",
                            "trace",
                            "tracesinks")),
            Map.entry(
                    ".",
                    List.of(
                            "options",
                            "errors",
                            "cache",
                            "check",
                            "cpu",
                            "device",
                            "graph",
                            "importer",
                            "infer",
                            "judge",
                            "opencl",
                            "place",
                            "plan",
                            "profile",
                            "run",
                            "runtime",
                            "tensor",
                            "trace",
                            "tracesinks")),
            Map.entry(
                    "fix",
                    List.of(".", "check", "describe", "expr", "graph", "infer", "ops", "profile", "runtime", "tensor")),
            Map.entry("serve", List.of(".", "errors", "graph", "tensor", "trace", "text")),
            Map.entry(
                    "cli",
                    List.of(
                            "options",
                            "errors",
                            ".",
                            "cache",
                            "check",
                            "cpu",
                            "describe",
                            "device",
                            "expr",
                            "fix",
                            "graph",
                            "image",
                            "importer",
                            "opencl",
                            "ops",
                            "profile",
                            "report",
                            "runtime",
                            "serve",
                            "tensor",
                            "trace",
                            "text")));

    /** The same of the packages below {@code cpu}, among each other. */
    private static final Map<String, List<String>> CPU_MAY_USE = Map.ofEntries(
            Map.entry(
                    ".",
                    List.of(
                            "blocked",
                            "call",
                            "convolution",
                            "elements",
                            "matrix",
                            "movement",
                            "normalization",
                            "quantized",
                            "recurrent",
                            "reduction",
                            "vector",
                            "vision")),
            Map.entry("blocked", List.of("call", "elements", "memory", "vector", "vision")),
            Map.entry("convolution", List.of("call", "elements", "matrix", "memory", "vector", "window")),
            Map.entry("call", List.of()),
            Map.entry("elements", List.of("call", "memory", "vector")),
            Map.entry("matrix", List.of("call", "memory", "vector")),
            Map.entry("memory", List.of("call")),
            Map.entry("movement", List.of("call", "memory")),
            Map.entry("normalization", List.of("call", "memory", "vector")),
            Map.entry("quantized", List.of("call", "convolution", "elements", "matrix", "memory", "vector")),
            Map.entry("recurrent", List.of("call", "elements", "matrix", "memory", "vector")),
            Map.entry("reduction", List.of("call", "memory", "vector")),
            Map.entry("vector", List.of("call", "window")),
            Map.entry("vision", List.of("call", "memory", "vector", "window")),
            Map.entry("window", List.of("call")));

    private static final List<Table> TABLES = List.of(new Table(ROOT, MAY_USE), new Table(ROOT + ".cpu", CPU_MAY_USE));

    /** The packages below a root, and which of them may use which. */
    private record Table(String root, Map<String, List<String>> mayUse) {

        String pattern(String name) {
            return name.equals(".") ? root : root + "." + name + "..";
        }

        boolean has(JavaClass type) {
            String name = type.getPackageName();
            return name.equals(root) || name.startsWith(root + ".");
        }

        /** The package of a class as the table calls it; that of a class elsewhere as it is. */
        String layer(JavaClass type) {
            String name = type.getPackageName();
            if (!has(type)) {
                return name;
            }
            return name.equals(root) ? "." : name.substring(root.length() + 1).split("\\.", -1)[0];
        }

        List<String> allowed(String name) {
            return Objects.requireNonNull(mayUse.get(name));
        }

        @Override
        public String toString() {
            return root;
        }
    }

    static List<Table> tables() {
        return TABLES;
    }

    static Stream<Arguments> packages() {
        return TABLES.stream()
                .flatMap(table -> table.mayUse.keySet().stream().sorted().map(name -> Arguments.of(table, name)));
    }

    @ParameterizedTest
    @MethodSource("packages")
    void usesOnlyWhatTheTableAllows(Table table, String name) {
        String[] allowed = Stream.concat(Stream.of(name), table.allowed(name).stream())
                .map(table::pattern)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(table.pattern(name))
                .should()
                .dependOnClassesThat(resideInAPackage(table.root + "..").and(not(resideInAnyPackage(allowed))))
                .check(CLASSES);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void theTableAllowsNothingThatIsNotNeeded(Table table, String name) {
        TreeSet<String> used = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            if (table.layer(type).equals(name)) {
                type.getDirectDependenciesFromSelf().forEach(dependency -> {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (table.has(target)) {
                        used.add(table.layer(target));
                    }
                });
            }
        }
        used.remove(name);
        assertThat(used).containsExactlyInAnyOrderElementsOf(table.allowed(name));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void theTableNamesEveryPackage(Table table) {
        TreeSet<String> found = new TreeSet<>();
        CLASSES.stream().filter(table::has).map(table::layer).forEach(found::add);
        assertThat(found).isEqualTo(new TreeSet<>(table.mayUse.keySet()));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void packagesFormNoCycles(Table table) {
        SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return table.has(type) ? SliceIdentifier.of(table.layer(type)) : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "packages of " + table;
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    private static void onlyIn(String home, String... foreign) {
        onlyIn(List.of(home), foreign);
    }

    private static void onlyIn(List<String> homes, String... foreign) {
        noClasses()
                .that()
                .resideOutsideOfPackages(homes.toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(foreign)
                .check(CLASSES);
        for (String home : homes) {
            assertThat(CLASSES.stream().filter(resideInAPackage(home)))
                    .as("classes of %s that use %s", home, List.of(foreign))
                    .anyMatch(type -> type.getDirectDependenciesFromSelf().stream()
                            .map(Dependency::getTargetClass)
                            .anyMatch(resideInAnyPackage(foreign)));
        }
    }

    @Test
    void foreignLibrariesAreSeenInOnePlaceEach() {
        onlyIn("org.clinfer.opencl.jocl..", "org.jocl..");
        onlyIn("org.clinfer.opencl.lwjgl..", "org.lwjgl..");
        onlyIn("org.clinfer.importer.tflite..", "com.google.flatbuffers..");
        onlyIn(List.of("org.clinfer.importer..", "org.clinfer.serve.."), "com.google.protobuf..");
        onlyIn("org.clinfer.cli..", "picocli..");
        onlyIn("org.clinfer.image..", "com.drew..");
        onlyIn("org.clinfer.serve..", "io.micrometer..");
        onlyIn("org.clinfer.serve.grpc..", "io.grpc..");
        onlyIn("org.clinfer.serve.rest..", "org.eclipse.jetty..");
    }

    @Test
    void onlyTheCommandLinePrints() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.clinfer.cli..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(CLASSES);
    }

    /** Files that a model names are looked up in one place, which confines them. */
    @Test
    void dataBesideAModelIsFoundInOnePlace() {
        noClasses()
                .that()
                .resideInAPackage("org.clinfer.importer..")
                .and()
                .doNotHaveSimpleName("NeighbourFiles")
                .should()
                .callMethodWhere(target(owner(assignableTo(Path.class))).and(target(nameMatching("resolve.*"))))
                .check(CLASSES);
    }

    /** The lines of a terminal show what is in them; what is printed in another way may control it. */
    @Test
    void commandsPrintWholeLines() {
        noClasses()
                .that()
                .resideInAPackage("org.clinfer.cli..")
                .and()
                .doNotHaveSimpleName("Terminal")
                .and()
                .doNotHaveSimpleName("Progress")
                .should()
                .callMethodWhere(target(owner(assignableTo(PrintWriter.class)))
                        .and(target(nameMatching("print|printf|format|write|append"))))
                .check(CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() throws ClassNotFoundException {
        Map<String, Boolean> marked = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            String name = type.getPackageName();
            if (!marked.containsKey(name) && !isGenerated(name)) {
                marked.put(name, isNullMarked(name));
            }
        }
        assertThat(marked)
                .hasSizeGreaterThan(15)
                .allSatisfy((name, is) -> assertThat(is)
                        .as("package-info of %s with @NullMarked", name)
                        .isTrue());
    }

    @Test
    void noTypeHasTheNameOfAnotherOne() {
        Map<String, List<String>> named = CLASSES.stream()
                .filter(type -> type.isTopLevelClass()
                        && !type.getSimpleName().equals("package-info")
                        && !isGenerated(type.getPackageName()))
                .collect(groupingBy(JavaClass::getSimpleName, mapping(JavaClass::getName, toList())));
        assertThat(named).hasSizeGreaterThan(500);
        assertThat(named.values()).filteredOn(same -> same.size() > 1).isEmpty();
    }

    private static boolean isNullMarked(String name) throws ClassNotFoundException {
        Class<?> info = Class.forName(name + ".package-info", false, ArchitectureTest.class.getClassLoader());
        return Arrays.stream(info.getAnnotations()).anyMatch(NullMarked.class::isInstance);
    }

    private static boolean isGenerated(String packageName) {
        return packageName.matches("org\\.clinfer\\.(importer\\.[a-z]+|serve|serve\\.grpc)\\.proto");
    }
}
