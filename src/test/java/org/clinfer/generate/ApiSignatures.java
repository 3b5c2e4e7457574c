package org.clinfer.generate;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The signatures of all that users of the library see: public types of the packages that the module exports, and their
 * public and protected members.
 */
final class ApiSignatures {

    static final Path FILE = Path.of("docs/api.txt");

    /** The line behind which the members stand that name internal types. */
    static final String INTERNAL =
            "# Members for Clinfer's own packages alone: they name types that the module does not export.";

    private static final Path MODULE = Path.of("src/module/java/module-info.java");
    private static final Pattern EXPORT = Pattern.compile("(?m)^ +exports ([a-z.]+);");
    private static final Pattern OWN_TYPE = Pattern.compile("org\\.clinfer(?:\\.[a-z0-9]+)*(?=\\.[A-Z])");

    private final Set<String> exported;
    private final Map<String, TreeSet<String>> callable = new TreeMap<>();
    private final TreeSet<String> internal = new TreeSet<>();

    private ApiSignatures(Set<String> exported) {
        this.exported = exported;
    }

    /** The packages that the module exports. */
    static Set<String> exported() throws IOException {
        Matcher matcher = EXPORT.matcher(Files.readString(MODULE));
        return matcher.results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The text of the file. */
    static String text() throws IOException {
        ApiSignatures signatures = new ApiSignatures(exported());
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("org.clinfer").stream()
                        .filter(type -> signatures.exported.contains(type.getPackageName()))
                        .map(JavaClass::reflect)
                        .filter(ApiSignatures::isSeen)
                        .forEach(signatures::add);
        return signatures.asText();
    }

    private static boolean isSeen(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return isSeen(type.getModifiers())
                && !type.isAnonymousClass()
                && !type.isLocalClass()
                && (outer == null || isSeen(outer));
    }

    private static boolean isSeen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private void add(Class<?> type) {
        TreeSet<String> members = new TreeSet<>();
        callable.put(type.getCanonicalName() + kind(type) + parents(type), members);
        boolean isFinal = Modifier.isFinal(type.getModifiers());
        Stream.of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
                .<Member>flatMap(Arrays::stream)
                .filter(member -> !member.isSynthetic())
                .filter(member -> Modifier.isPublic(member.getModifiers())
                        || (Modifier.isProtected(member.getModifiers()) && !isFinal))
                .map(ApiSignatures::line)
                .forEach(line -> {
                    if (names(line)) {
                        members.add(line);
                    } else {
                        internal.add(type.getCanonicalName() + ": " + line);
                    }
                });
    }

    /** Whether all types of Clinfer in a signature are of exported packages. */
    private boolean names(String line) {
        return OWN_TYPE.matcher(line).results().map(MatchResult::group).allMatch(exported::contains);
    }

    private static String kind(Class<?> type) {
        String word = type.isRecord() ? "record" : type.isEnum() ? "enum" : type.isInterface() ? "interface" : "class";
        String abstracted = Modifier.isAbstract(type.getModifiers()) && !type.isInterface() ? "abstract " : "";
        return ": " + abstracted + (type.isSealed() ? "sealed " : "") + word;
    }

    private static String parents(Class<?> type) {
        List<String> parents = new ArrayList<>();
        Type parent = type.getGenericSuperclass();
        if (parent != null && parent != Object.class && !type.isRecord() && !type.isEnum()) {
            parents.add(parent.getTypeName());
        }
        Arrays.stream(type.getGenericInterfaces()).map(Type::getTypeName).forEach(parents::add);
        return parents.isEmpty() ? "" : ", " + String.join(", ", parents);
    }

    private static String line(Member member) {
        String prefix = Modifier.isStatic(member.getModifiers()) ? "static " : "";
        String name = member.getName();
        if (member instanceof Field field) {
            return shortened(prefix + field.getGenericType().getTypeName() + " " + name);
        }
        Executable executable = (Executable) member;
        String parameters = Arrays.stream(executable.getGenericParameterTypes())
                .map(Type::getTypeName)
                .collect(Collectors.joining(", ", "(", ")"));
        return executable instanceof Constructor<?>
                ? shortened("new" + parameters)
                : shortened(
                        prefix + ((Method) executable).getGenericReturnType().getTypeName() + " " + name + parameters);
    }

    private static String shortened(String line) {
        return line.replaceAll("java\\.(lang|util)\\.(?=[A-Z])", "").replace('$', '.');
    }

    private String asText() {
        StringBuilder text = new StringBuilder("# What users of the library see, generated: see docs/api.md.\n");
        callable.forEach((type, members) -> {
            text.append('\n').append(shortened(type)).append('\n');
            members.forEach(member -> text.append("    ").append(member).append('\n'));
        });
        text.append('\n').append(INTERNAL).append("\n\n");
        internal.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }
}
