package org.clinfer.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.errors.InputException;

/** The texts of kernel files, with {@code #include "path"} lines replaced by the files they name. */
public final class KernelSources {

    private static final Pattern INCLUDE = Pattern.compile("[ \\t]*#include[ \\t]+\"([^\"]+)\"[^\\n]*");
    private static final String IS_LAUNCHED = "IS_LAUNCHED(";
    private static final Pattern LAUNCHED = Pattern.compile("\\bIS_LAUNCHED\\(\\s*(\\w+)\\s*,\\s*(\\w+)\\s*,");
    private static final Pattern SAFE_PATH = Pattern.compile("[A-Za-z0-9_]+(?:[/.][A-Za-z0-9_]+)*");

    private static final long MAX_BYTES = 4L << 20;

    private final Optional<Path> folder;
    private final List<Path> more;
    private final Map<String, String> files = new ConcurrentHashMap<>();
    private final Map<String, String> ownCodes = new ConcurrentHashMap<>();
    private final Map<String, String> texts = new ConcurrentHashMap<>();
    private final Map<String, String> codes = new ConcurrentHashMap<>();
    private final Map<String, String> functions = new ConcurrentHashMap<>();
    private final Map<Entry, KernelSignature> signatures = new ConcurrentHashMap<>();
    private final Map<Entry, Optional<String>> chainRefusals = new ConcurrentHashMap<>();
    private final Map<String, SortedMap<String, SortedSet<String>>> launchedWords = new ConcurrentHashMap<>();

    private record Entry(String file, String name) {}

    private KernelSources(Optional<Path> folder, List<Path> more) {
        this.folder = folder;
        this.more = List.copyOf(more);
    }

    /**
     * The kernels packed with the product, or those of the folder named by the property {@code clinfer.kernels}.
     *
     * @throws InputException if there is no such folder
     */
    public static KernelSources packaged() {
        String named = System.getProperty("clinfer.kernels");
        if (named != null && !Files.isDirectory(Path.of(named))) {
            throw new InputException("there is no folder of kernels " + named + ", which clinfer.kernels names");
        }
        return new KernelSources(Optional.ofNullable(named).map(Path::of), List.of());
    }

    /** The kernels below a folder. */
    public static KernelSources in(Path folder) {
        return new KernelSources(Optional.of(folder), List.of());
    }

    /** These kernels and those of one more folder, which may include files of these; a file of these wins. */
    public KernelSources and(Path another) {
        List<Path> all = new ArrayList<>(more);
        all.add(another);
        return new KernelSources(folder, all);
    }

    /**
     * The complete text of a kernel file; each included file appears once.
     *
     * @param file path below {@code kernels-cl}
     * @throws IllegalArgumentException if the file, or one it includes, does not exist
     */
    public String text(String file) {
        return texts.computeIfAbsent(file, name -> {
            Optional<Path> own = ofUser(name);
            return own.isEmpty() ? expand(name, this::own, new HashSet<>()) : withLines(name, own.get());
        });
    }

    /**
     * The parameters of an entry point of a kernel file.
     *
     * @throws IllegalArgumentException if there is no such file or entry point
     */
    public KernelSignature signature(String file, String entry) {
        return signatures.computeIfAbsent(
                new Entry(file, entry),
                key -> KernelSignature.find(ownCode(key.file()), key.name())
                        .orElseGet(() -> KernelSignature.of(code(key.file()), key.name())));
    }

    /**
     * The complete texts of several {@link #isJoinable joinable} kernel files as one, in which each file, and each that they
     * include, appears once. What a file defines itself ends with it.
     */
    public String text(List<String> files) {
        return joined(files, this::own, new HashSet<>()).toString();
    }

    /** The same with {@link ItemFunction#functions} instead of kernels, and with a header behind the files. */
    String functions(List<String> files, String header) {
        Set<String> seen = new HashSet<>();
        UnaryOperator<String> content = file -> ItemFunction.functions(ownCode(file));
        return joined(files, content, seen)
                .append(expand(header, content, seen))
                .toString();
    }

    private StringBuilder joined(List<String> files, UnaryOperator<String> content, Set<String> seen) {
        StringBuilder all = new StringBuilder();
        for (String file : files) {
            all.append(expand(file, content, seen)).append('\n').append(ItemFunction.undefinitions(ownCode(file)));
        }
        return all;
    }

    /** {@return whether a kernel file can be one of several of a program} */
    public boolean isJoinable(String file) {
        return !ItemFunction.definesBeforeIncluding(ownCode(file));
    }

    /**
     * The reason why a launch cannot be one of several in a launch of a {@link ChainSource}, or empty if it can.
     *
     * @throws IllegalArgumentException if there is no such kernel
     */
    public Optional<String> chainRefusal(KernelLaunch launch) {
        if (!launch.options().isEmpty()) {
            return Optional.of("its program is built with " + launch.options());
        }
        boolean sharesLocal =
                launch.arguments().values().stream().anyMatch(argument -> argument instanceof KernelArgument.Local)
                        && (launch.local().isEmpty() || launch.local().stream().anyMatch(size -> size != 1));
        if (sharesLocal) {
            return Optional.of("its work-items share local memory");
        }
        return chainRefusals.computeIfAbsent(
                new Entry(launch.file(), launch.entry()),
                key -> ItemFunction.refusal(
                        ownCode(key.file()),
                        functions.computeIfAbsent(key.file(), file -> ItemFunction.functions(code(file))),
                        signature(key.file(), key.name())));
    }

    /** For each kernel of a file the words of its arguments that the file asks for by IS_LAUNCHED. */
    SortedMap<String, SortedSet<String>> launchedWords(String file) {
        return launchedWords.computeIfAbsent(file, name -> {
            SortedMap<String, SortedSet<String>> words = new TreeMap<>();
            String code = ownCode(name);
            Matcher asked = LAUNCHED.matcher(code).useTransparentBounds(true);
            for (int at = code.indexOf(IS_LAUNCHED); at >= 0; at = code.indexOf(IS_LAUNCHED, at + 1)) {
                if (asked.region(at, code.length()).lookingAt()) {
                    words.computeIfAbsent(asked.group(1), entry -> new TreeSet<>())
                            .add(asked.group(2));
                }
            }
            return words;
        });
    }

    /** The words of the arguments of a kernel that its file asks for by IS_LAUNCHED. */
    SortedSet<String> launchedWords(String file, String entry) {
        return launchedWords(file).getOrDefault(entry, Collections.emptySortedSet());
    }

    /** The complete text of a kernel file without its comments. */
    private String code(String file) {
        return codes.computeIfAbsent(file, name -> KernelSignature.withoutComments(text(name)));
    }

    /** The text of a kernel file alone without its comments. */
    private String ownCode(String file) {
        return ownCodes.computeIfAbsent(file, name -> KernelSignature.withoutComments(own(name)));
    }

    /** @param content gives the text of a file alone */
    private static String expand(String file, UnaryOperator<String> content, Set<String> seen) {
        if (!seen.add(file)) {
            return "";
        }
        String text = content.apply(file);
        StringBuilder expanded = new StringBuilder();
        int done = 0;
        for (int sign = text.indexOf('#'); sign >= 0; sign = text.indexOf('#', sign + 1)) {
            int line = text.lastIndexOf('\n', sign) + 1;
            int next = text.indexOf('\n', sign);
            int end = next < 0 ? text.length() : next;
            Matcher include = INCLUDE.matcher(text).region(Math.max(line, done), end);
            if (include.matches()) {
                expanded.append(text, done, line).append(expand(include.group(1), content, seen));
                done = end;
            }
        }
        return expanded.append(text, done, text.length()).toString();
    }

    /** A kernel file of one of the further folders; empty if it is one of these kernels. */
    private Optional<Path> ofUser(String file) {
        return more.stream()
                .map(folder -> folder.resolve(file))
                .filter(path -> Files.isRegularFile(path) && sameText(path, own(file)))
                .findFirst();
    }

    private static boolean sameText(Path path, String text) {
        try {
            return Files.readString(path).equals(text);
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** The complete text with {@code #line} directives, by which compilers name the user's own file and line. */
    private String withLines(String file, Path path) {
        Set<String> seen = new HashSet<>(Set.of(file));
        StringBuilder expanded = new StringBuilder(directive(1, path.toString()));
        String[] lines = own(file).split("\n", -1);
        for (int at = 0; at < lines.length; at++) {
            Matcher include = INCLUDE.matcher(lines[at]);
            if (include.matches()) {
                expanded.append(directive(1, include.group(1)))
                        .append(expand(include.group(1), this::own, seen))
                        .append('\n')
                        .append(directive(at + 2, path.toString()));
            } else {
                expanded.append(lines[at]).append(at + 1 < lines.length ? "\n" : "");
            }
        }
        return expanded.toString();
    }

    private static String directive(int line, String file) {
        return "#line " + line + " \"" + file.replace('\\', '/').replaceAll("[\"\\p{Cntrl}]", "_") + "\"\n";
    }

    private String own(String file) {
        return files.computeIfAbsent(file, this::read);
    }

    private String read(String file) {
        if (!SAFE_PATH.matcher(file).matches()) {
            throw new IllegalArgumentException("kernel file name '" + file + "' is not a plain relative path");
        }
        try {
            Optional<String> own = folder.isPresent() ? inFolder(folder.get(), file) : inResources(file);
            for (Path another : more) {
                own = own.isPresent() ? own : inFolder(another, file);
            }
            return own.orElseThrow(() -> new IllegalArgumentException("there is no kernel file '" + file + "'"));
        } catch (IOException e) {
            throw new UncheckedIOException("kernel file '" + file + "' cannot be read", e);
        }
    }

    private static Optional<String> inFolder(Path folder, String file) throws IOException {
        Path path = folder.resolve(file);
        if (!Files.isRegularFile(path)) {
            return Optional.empty();
        }
        if (Files.size(path) > MAX_BYTES) {
            throw new IllegalArgumentException("kernel file " + path + " is larger than " + MAX_BYTES + " bytes");
        }
        return Optional.of(Files.readString(path));
    }

    private static Optional<String> inResources(String file) throws IOException {
        try (InputStream stream = KernelSources.class.getResourceAsStream("/kernels-cl/" + file)) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
