package org.clinfer.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The program that runs any sequence of certain launches of some kernels in one launch: the functions of their files, the
 * interpreter of {@code common/chain.h}, and for each kernel a function that reads its arguments from a table.
 *
 * @param functions the kernels; the position of each is its number in the table
 * @param text the program
 * @param parameters the names of what its entry point takes, which plans ask for that share the program
 */
public record ChainSource(List<Function> functions, String text, List<String> parameters) {

    /** Its entry point. */
    public static final String ENTRY = "clinfer_chain";

    /** The number of buffers of the entry point in which the memory of the arguments may lie. */
    public static final int POOLS = 32;

    private static final String INTERPRETER = "common/chain.h";

    private static final String COMPONENTS = "xyzw";

    /**
     * A kernel of {@link KernelSources#chainRefusal chainable} form.
     *
     * @param launched for each word of its arguments that its file asks for by IS_LAUNCHED, which values it may have
     */
    public record Function(String file, String entry, SortedMap<String, SortedSet<Integer>> launched) {

        public Function {
            launched = Collections.unmodifiableSortedMap(launched);
        }

        /** With any arguments. */
        Function(String file, String entry) {
            this(file, entry, new TreeMap<>());
        }

        private boolean isOf(KernelLaunch launch) {
            return file.equals(launch.file()) && entry.equals(launch.entry());
        }

        private boolean allows(KernelLaunch launch) {
            return launched.entrySet().stream()
                    .allMatch(asked -> asked.getValue().contains(word(launch, asked.getKey())));
        }
    }

    public ChainSource {
        functions = List.copyOf(functions);
        parameters = List.copyOf(parameters);
    }

    private ChainSource(List<Function> functions, String text) {
        this(
                functions,
                text,
                KernelSignature.of(text, ENTRY).parameters().stream()
                        .map(KernelSignature.Parameter::name)
                        .toList());
    }

    /** The kernels of some launches, which a program for them has to have. */
    public static List<Function> functions(KernelSources sources, Collection<KernelLaunch> launches) {
        SortedMap<String, SortedMap<String, SortedMap<String, SortedSet<Integer>>>> values = new TreeMap<>();
        for (KernelLaunch launch : launches) {
            SortedMap<String, SortedSet<Integer>> ofEntry = values.computeIfAbsent(
                            launch.file(), file -> new TreeMap<>())
                    .computeIfAbsent(launch.entry(), entry -> new TreeMap<>());
            for (String word : sources.launchedWords(launch.file(), launch.entry())) {
                ofEntry.computeIfAbsent(word, asked -> new TreeSet<>()).add(word(launch, word));
            }
        }
        List<Function> functions = new ArrayList<>();
        values.forEach((file, entries) ->
                entries.forEach((entry, launched) -> functions.add(new Function(file, entry, launched))));
        return functions;
    }

    /** These kernels and those of other launches, with any arguments. */
    public List<Function> with(List<Function> others) {
        return Stream.concat(functions.stream(), others.stream())
                .map(function -> new Function(function.file(), function.entry()))
                .distinct()
                .sorted(Comparator.comparing(Function::file).thenComparing(Function::entry))
                .toList();
    }

    /** A word of an argument: of a scalar by the name of its parameter, of a vector by NAME_x … NAME_w. */
    private static int word(KernelLaunch launch, String word) {
        Map<String, KernelArgument> arguments = launch.arguments();
        boolean isWhole = arguments.containsKey(word);
        int component = isWhole ? 0 : COMPONENTS.indexOf(word.charAt(word.length() - 1));
        KernelArgument argument = arguments.get(isWhole ? word : word.substring(0, word.length() - 2));
        if (component >= 0 && argument instanceof KernelArgument.Scalar scalar) {
            ByteBuffer bytes = scalar.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
            return bytes.getInt(bytes.position() + Integer.BYTES * component);
        }
        throw new IllegalArgumentException("kernel " + launch.entry() + " has no argument '" + word + "' of integers");
    }

    /**
     * The number of the kernel of a launch.
     *
     * @throws IllegalArgumentException if the program is not made for this launch
     */
    public int number(KernelLaunch launch) {
        int number = find(launch);
        if (number < 0) {
            throw new IllegalArgumentException("the program is not made for this launch of " + launch.entry());
        }
        return number;
    }

    /** {@return whether the program is made for all of these launches} */
    public boolean hasAll(Collection<KernelLaunch> launches) {
        return launches.stream().allMatch(launch -> find(launch) >= 0);
    }

    private int find(KernelLaunch launch) {
        for (int number = 0; number < functions.size(); number++) {
            if (functions.get(number).isOf(launch) && functions.get(number).allows(launch)) {
                return number;
            }
        }
        return -1;
    }

    /** The program for these kernels, which differ. */
    public static ChainSource of(KernelSources sources, List<Function> functions) {
        List<String> files = functions.stream().map(Function::file).distinct().toList();
        StringBuilder text = new StringBuilder(launched(sources, functions));
        text.append(sources.functions(files, INTERPRETER));
        StringBuilder cases = new StringBuilder();
        for (int number = 0; number < functions.size(); number++) {
            Function function = functions.get(number);
            text.append(caller(number, sources.signature(function.file(), function.entry())));
            cases.append("    case ").append(number).append(": chain_function_").append(number);
            cases.append("(words, first, last, local_memory, pools); break;\n");
        }
        text.append("\nstatic void chain_dispatch(CHAIN_ITEMS) {\n    switch (words[0]) {\n");
        text.append(cases).append("    }\n}\n");
        return new ChainSource(functions, text.toString());
    }

    /** The macros behind IS_LAUNCHED of {@code common/launched.h}; what no launch of the program has, none is asked of. */
    private static String launched(KernelSources sources, List<Function> functions) {
        StringBuilder macros = new StringBuilder("#define CLINFER_LAUNCHED\n");
        for (String file : functions.stream().map(Function::file).distinct().toList()) {
            for (Map.Entry<String, SortedSet<String>> asked :
                    sources.launchedWords(file).entrySet()) {
                asked.getValue()
                        .forEach(word -> macros.append("#define LAUNCHED_")
                                .append(asked.getKey())
                                .append('_')
                                .append(word)
                                .append("(value) (")
                                .append(condition(functions, file, asked.getKey(), word))
                                .append(")\n"));
            }
        }
        return macros.toString();
    }

    private static String condition(List<Function> functions, String file, String entry, String word) {
        return functions.stream()
                .filter(function ->
                        function.file().equals(file) && function.entry().equals(entry))
                .findFirst()
                .map(function -> condition(function, word))
                .orElse("0");
    }

    private static String condition(Function function, String word) {
        SortedSet<Integer> values = function.launched().get(word);
        return values == null
                ? "1"
                : values.stream().map(value -> "(value) == " + value).collect(Collectors.joining(" || "));
    }

    /** A function that takes the arguments of a kernel from the table and does some of its items. */
    private static String caller(int number, KernelSignature signature) {
        StringBuilder read = new StringBuilder();
        StringBuilder arguments = new StringBuilder();
        for (int i = 0; i < signature.parameters().size(); i++) {
            KernelSignature.Parameter parameter = signature.parameters().get(i);
            switch (parameter.kind()) {
                case BUFFER -> {
                    arguments
                            .append("(__global ")
                            .append(parameter.type())
                            .append(" *)a")
                            .append(i);
                    read.append("    __global char *a").append(i).append(" = chain_pointer(next, pools);\n");
                    read.append("    next += 2;\n");
                }
                case LOCAL -> {
                    arguments
                            .append("(__local ")
                            .append(parameter.type())
                            .append(" *)a")
                            .append(i);
                    read.append("    __local char *a").append(i).append(" = local_memory + next[0];\n");
                    read.append("    next += 1;\n");
                }
                case SCALAR -> {
                    arguments.append('a').append(i).append(".value");
                    read.append("    CHAIN_VALUE(")
                            .append(parameter.type())
                            .append(", a")
                            .append(i)
                            .append(");\n");
                }
            }
            arguments.append(", ");
        }
        return "\n__attribute__((noinline)) static void chain_function_" + number + "(CHAIN_ITEMS) {\n"
                + "    __global const int *next = words + CHAIN_HEADER;\n"
                + read
                + "    int3 at = chain_position(words, first);\n"
                + "    while (first < last) {\n"
                + "        const int begin = at.x;\n"
                + "        const int end = chain_row_end(words, at, last - first);\n"
                + "        for (; at.x < end; ++at.x) {\n"
                + "            " + ItemFunction.name(signature.entry()) + "(" + arguments + "at);\n"
                + "        }\n"
                + "        first += end - begin;\n"
                + "        at = chain_next_row(words, at);\n"
                + "    }\n}\n";
    }
}
