package org.clinfer;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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
            Map.entry("graph", List.of("tensor")),
            Map.entry("ops", List.of("graph", "tensor")),
            Map.entry("importer", List.of("describe", "expr", "graph", "tensor")),
            Map.entry("expr", List.of("tensor")),
            Map.entry("files", List.of()),
            Map.entry("describe", List.of("expr", "files", "tensor")),
            Map.entry("profile", List.of("device", "expr", "files")),
            Map.entry("check", List.of("graph", "describe", "expr", "profile", "tensor")),
            Map.entry("report", List.of("check", "graph", "tensor")),
            Map.entry("kernel", List.of("device", "expr", "describe", "tensor")),
            Map.entry("place", List.of("check", "kernel", "describe", "graph", "device", "tensor")),
            Map.entry("plan", List.of("place", "check", "kernel", "graph", "tensor", "device", "describe", "expr")),
            Map.entry("cpu", List.of("graph", "tensor")),
            Map.entry("opencl", List.of("cache", "device")),
            Map.entry("cache", List.of("device")),
            Map.entry(
                    "run",
                    List.of(
                            "cache",
                            "plan",
                            "kernel",
                            "cpu",
                            "opencl",
                            "place",
                            "check",
                            "describe",
                            "graph",
                            "tensor",
                            "device",
                            "expr")),
            Map.entry(
                    ".",
                    List.of(
                            "cache",
                            "run",
                            "plan",
                            "place",
                            "kernel",
                            "cpu",
                            "opencl",
                            "check",
                            "describe",
                            "importer",
                            "graph",
                            "profile",
                            "tensor",
                            "device")),
            Map.entry(
                    "cli",
                    List.of(
                            ".",
                            "cache",
                            "check",
                            "cpu",
                            "describe",
                            "device",
                            "expr",
                            "graph",
                            "importer",
                            "opencl",
                            "profile",
                            "report",
                            "tensor")));

    private static String pattern(String name) {
        return name.equals(".") ? ROOT : ROOT + "." + name + "..";
    }

    /** The top-level package of a class as {@link #MAY_USE} calls it. */
    private static String layer(JavaClass type) {
        String name = type.getPackageName();
        if (!name.startsWith(ROOT)) {
            return name;
        }
        return name.equals(ROOT) ? "." : name.substring(ROOT.length() + 1).split("\\.", -1)[0];
    }

    static Stream<String> packages() {
        return MAY_USE.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("packages")
    void usesOnlyWhatTheTableAllows(String name) {
        String[] allowed = Stream.concat(Stream.of(name), allowed(name).stream())
                .map(ArchitectureTest::pattern)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(pattern(name))
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed))))
                .check(CLASSES);
    }

    private static List<String> allowed(String name) {
        return Objects.requireNonNull(MAY_USE.get(name));
    }

    @ParameterizedTest
    @MethodSource("packages")
    void theTableAllowsNothingThatIsNotNeeded(String name) {
        TreeSet<String> used = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            if (layer(type).equals(name)) {
                type.getDirectDependenciesFromSelf().forEach(dependency -> {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (target.getPackageName().startsWith(ROOT)) {
                        used.add(layer(target));
                    }
                });
            }
        }
        used.remove(name);
        assertThat(used).containsExactlyInAnyOrderElementsOf(allowed(name));
    }

    @Test
    void theTableNamesEveryPackage() {
        TreeSet<String> found = new TreeSet<>();
        CLASSES.forEach(type -> found.add(layer(type)));
        assertThat(found).isEqualTo(new TreeSet<>(MAY_USE.keySet()));
    }

    @Test
    void packagesFormNoCycles() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return SliceIdentifier.of(layer(type));
                    }

                    @Override
                    public String getDescription() {
                        return "top-level packages";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    private static void onlyIn(String home, String... foreign) {
        noClasses()
                .that()
                .resideOutsideOfPackage(home)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(foreign)
                .check(CLASSES);
        assertThat(CLASSES.stream().filter(resideInAPackage(home)))
                .as("classes of %s that use %s", home, List.of(foreign))
                .anyMatch(type -> type.getDirectDependenciesFromSelf().stream()
                        .map(Dependency::getTargetClass)
                        .anyMatch(resideInAnyPackage(foreign)));
    }

    @Test
    void foreignLibrariesAreSeenInOnePlaceEach() {
        onlyIn("org.clinfer.opencl.jocl..", "org.jocl..");
        onlyIn("org.clinfer.opencl.lwjgl..", "org.lwjgl..");
        onlyIn("org.clinfer.importer..", "com.google.protobuf..");
        onlyIn("org.clinfer.cli..", "picocli..");
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

    private static boolean isNullMarked(String name) throws ClassNotFoundException {
        Class<?> info = Class.forName(name + ".package-info", false, ArchitectureTest.class.getClassLoader());
        return Arrays.stream(info.getAnnotations()).anyMatch(NullMarked.class::isInstance);
    }

    private static boolean isGenerated(String packageName) {
        return packageName.matches("org\\.clinfer\\.importer\\.[a-z]+\\.proto");
    }
}
