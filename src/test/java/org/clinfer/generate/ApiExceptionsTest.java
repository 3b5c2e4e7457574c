package org.clinfer.generate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.TryCatchBlock;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.clinfer.errors.ClinferException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The exceptions that are thrown on purpose: one base, few of the JDK's own, and documented where users meet them. */
class ApiExceptionsTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.clinfer");

    /** The JDK's exceptions that say what a program gets wrong by itself, or that a file or the caller's wish ended it. */
    private static final Set<String> OF_THE_JDK = Set.of(
            IllegalArgumentException.class.getName(),
            IllegalStateException.class.getName(),
            ArithmeticException.class.getName(),
            CancellationException.class.getName(),
            IOException.class.getName(),
            UncheckedIOException.class.getName(),
            AssertionError.class.getName());

    /** Further ones by package, which callers inside catch. */
    private static final Map<String, Set<String>> CAUGHT_INSIDE = Map.of(
            "org.clinfer.files", Set.of("tools.jackson.core.exc.StreamReadException"),
            "org.clinfer.opencl.lwjgl", Set.of(UnsatisfiedLinkError.class.getName()),
            "org.clinfer.opencl.jocl", Set.of(UnsatisfiedLinkError.class.getName()));

    /** Neither the command line nor what the compiler of protobuf writes. */
    private static boolean isWritten(JavaClass type) {
        return !type.getPackageName().startsWith("org.clinfer.cli")
                && !type.getPackageName().endsWith(".proto");
    }

    @Test
    void itsOwnExceptionsExtendTheBaseOrAreCaughtInside() throws IOException {
        Set<String> exported = ApiSignatures.exported();
        Set<String> caught = CLASSES.stream()
                .flatMap(type -> type.getCodeUnits().stream())
                .map(JavaCodeUnit::getTryCatchBlocks)
                .flatMap(Set::stream)
                .map(TryCatchBlock::getCaughtThrowables)
                .flatMap(Set::stream)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
        List<JavaClass> others = CLASSES.stream()
                .filter(type -> type.isAssignableTo(Throwable.class))
                .filter(type -> !type.isAssignableTo(ClinferException.class))
                .toList();
        assertThat(others)
                .isNotEmpty()
                .allSatisfy(type -> assertThat(caught).contains(type.getName()))
                .allSatisfy(type -> assertThat(exported).doesNotContain(type.getPackageName()));
    }

    @Test
    void exceptionsOfTheJdkAreFew() {
        Set<String> thrown = new HashSet<>();
        List<String> unexpected = new ArrayList<>();
        CLASSES.stream()
                .filter(ApiExceptionsTest::isWritten)
                .forEach(type -> type.getConstructorCallsFromSelf().forEach(call -> {
                    JavaClass made = call.getTargetOwner();
                    boolean isOwn = made.getPackageName().startsWith("org.clinfer")
                            || made.isEquivalentTo(IncompatibleClassChangeError.class); // of a switch over an enum
                    boolean isOfParent = call.getOrigin().isConstructor() && type.isAssignableTo(Throwable.class);
                    if (!made.isAssignableTo(Throwable.class) || isOwn || isOfParent) {
                        return;
                    }
                    thrown.add(made.getName());
                    if (!OF_THE_JDK.contains(made.getName())
                            && !CAUGHT_INSIDE
                                    .getOrDefault(type.getPackageName(), Set.of())
                                    .contains(made.getName())) {
                        unexpected.add(made.getName() + " in " + call.getDescription());
                    }
                }));
        assertThat(unexpected).isEmpty();
        assertThat(thrown).containsAll(OF_THE_JDK);
    }

    @Test
    void whatPublicMethodsThrowThemselvesStandsInTheirJavadoc() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> undocumented = new ArrayList<>();
        List<String> documented = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            for (String exported : ApiSignatures.exported()) {
                List<Path> files = ApiJavadocTest.sources(Path.of("src/main/java", exported.split("\\.")));
                JavacTask task = (JavacTask)
                        compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
                DocTrees docs = DocTrees.instance(task);
                for (CompilationUnitTree unit : task.parse()) {
                    new Throws(docs, documented, undocumented).scan(unit, null);
                }
            }
        }
        assertThat(undocumented).isEmpty();
        assertThat(documented).hasSizeGreaterThan(15);
    }

    /** Looks for {@code throw new} in the bodies of public methods, and for its type among the tags of their Javadoc. */
    private static final class Throws extends TreePathScanner<@Nullable Void, @Nullable Void> {

        private final DocTrees docs;
        private final List<String> documented;
        private final List<String> undocumented;

        Throws(DocTrees docs, List<String> documented, List<String> undocumented) {
            this.docs = docs;
            this.documented = documented;
            this.undocumented = undocumented;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
            String comment = docs.getDocComment(getCurrentPath());
            boolean isPublic = method.getModifiers().getFlags().contains(Modifier.PUBLIC);
            if (isPublic && method.getBody() != null && comment != null) {
                thrown(method).forEach(type -> {
                    boolean isThere = comment.contains("@throws " + type) || comment.contains("." + type + " ");
                    (isThere ? documented : undocumented)
                            .add(getCurrentPath()
                                            .getCompilationUnit()
                                            .getSourceFile()
                                            .getName() + ": " + method.getName() + " throws " + type);
                });
            }
            return super.visitMethod(method, null);
        }

        private static Set<String> thrown(MethodTree method) {
            Set<String> types = new HashSet<>();
            new TreeScanner<@Nullable Void, @Nullable Void>() {
                @Override
                public @Nullable Void visitThrow(ThrowTree node, @Nullable Void unused) {
                    if (node.getExpression() instanceof NewClassTree made) {
                        types.add(made.getIdentifier().toString());
                    }
                    return super.visitThrow(node, null);
                }

                @Override
                public @Nullable Void visitLambdaExpression(LambdaExpressionTree node, @Nullable Void unused) {
                    return null;
                }
            }.scan(method.getBody(), null);
            return types;
        }
    }
}
