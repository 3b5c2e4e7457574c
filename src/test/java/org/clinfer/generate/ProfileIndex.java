package org.clinfer.generate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Evidence;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.RuleSet;
import org.clinfer.profile.Vocabulary;

/** Writes the page that leads to those of the families, with what all rules have in common. */
final class ProfileIndex {

    private static final String INTRODUCTION = """
            # Device profiles

            Generated from `device-profiles` by `%s`; change that, not this file.

            A profile says what a device has, and the rules of its family what operators must be like to run on it. The
            same rules decide in `clinfer check --profile NAME`, at run time with `--profile`, and on these pages.

            Rules see an operator of float32 between DequantizeLinear and QuantizeLinear as one of the quantized numbers. These
            two, and a Clip of the quantized numbers that a sum or product gives, run where that operator does.
            """;

    private static final String OWN = """

            ## A profile of your own

            Copy the profile that is nearest to your device, or
            [`generic.ini`](../../device-profiles/generic.ini), which has the limits that most devices have, and change
            its figures. A live OpenCL device writes its own: `clinfer devices --save-profile FILE`.

            ```ini
            [GNA]
            max_filters = 8192

            [clinfer]
            family = gna
            title  = My accelerator
            source = data sheet, revision 3
            operators = conv2d, max-pool, fully-connected, relu
            ```

            - A line is a `[section]`, a `key = value`, or a comment that begins with `#` or `;`. There are no quotes, and
              no comments behind a value. A backslash at the end continues a value on the next line.
            - Values are numbers in plain decimals, `true` or `false`, words, or lists of these with commas. A list of one is
              written as a list of two that are equal.
            - An empty value is one that is not known. What depends on it is reported as unknown, never as a yes.
            - `[clinfer]` has `family`, the page of which names the sections and keys that its rules look at; `title`,
              `vendor`, `source` and `note` for people; `source.Section.key` for a figure with a source of its own;
              `operators`, the kinds and names of operators that the device runs, where they are not those of the family;
              and `reading`, `document`, `published` or `code`, where it asks for one reading of restrictions.
            - A file of Huawei's CANN (`platform_config/*.ini`) is a profile as it is.

            ```
            clinfer profiles --validate mydevice.ini
            clinfer check net.onnx --profile mydevice.ini
            ```

            `--validate` names every key, section, word and value that no rule of the family knows, with its line and the one that
            was meant. A profile with errors is not used, except with `--lenient`, and then a line on stderr says so. The same holds
            of rule files and of the vocabulary: a name that no operator, no word and no profile of the family has is an error there.

            Limits of another form need rules: copy the folder `device-profiles`, add `rules/myfamily.ini`, name it in the
            profile (`family = myfamily`), and point to the copy with `-Dclinfer.profiles=FOLDER` in `JAVA_TOOL_OPTIONS`. A
            rule is a section `[kind, kind/name]`:

            ```ini
            [conv2d, depthwise-conv2d/kernel]
            when    = stride_h > 1
            require = kernel_h <= Limits.max_kernel
            message = the kernel is too large
            unit    = elements
            source  = data sheet, table 7
            ```

            The file begins with the section `[family]`, which needs `title`, `vendor` and `source`:

            ```ini
            [family]
            title     = My accelerators
            vendor    = My company
            source    = data sheet, revision 3
            operators = conv2d, depthwise-conv2d, max-pool, relu
            complete  = true
            ```

            `operators` are the kinds and names of operators that the devices run at all; left out: all. Those that are not listed
            fall back where the list is `complete`, else whether they run is unknown.

            A rule has the `evidence` on which it stands: `document` where the vendor's documents say it, `code` where
            published code of the vendor's tools tests it, `measured` where others have measured it, `probed` where a program
            has tried it on the device. `sdk` is the vendor's tools or the document with their version, and `read` the date
            of the document or of its reading. Those of `[family]` hold for all rules that say nothing else.

            `let.NAME = EXPRESSION` gives a value a name, for one rule, or in `[family]` for all. What cannot be evaluated,
            because a size or a figure is not known, makes the rule unknown. Expressions are those of
            [operator descriptions](../descriptions.md#expressions).

            A rule with a `total` is about all nodes of a network together, such as a memory that their weights share:

            ```ini
            [conv2d, fully-connected/all-weights]
            total   = product(constant_dims[1])
            require = total <= Limits.weight_memory_bytes
            message = the weights of all layers do not fit the weight memory
            unit    = bytes
            source  = data sheet, table 3
            ```

            `total` is what a node adds, and in `require` the sum of it over the nodes that the device takes by its other rules.
            Beside the other words it may use `constant_dims`: the dimensions of each input that is a constant and that no node
            before has as well, and `[0]` of all others. Where `require` does not hold of the sum, nodes have room in their order,
            as far as it holds of them and those before; the others fall back, and the report says that the network does not fit.

            A rule that looks at `follows_fallback` is about the order of nodes: whether a node takes what was made, however far
            before, of something that a node gives which the device does not run. Compilers that make one subgraph of a network
            end it there.

            `check` alone asks these rules, on nodes that are on the device by all others; commands that run a network with
            `--profile` do not.

            ## The network as the device gets it

            The vendor's converter changes a network before the device is asked. A section `[converts]` says how, each step
            with its source; `check` judges what is left, says of every node what became of it, and counts a node that is
            part of another nowhere. `--as-written` judges the file as it is. So do commands that run a network with
            `--profile`, and `EngineOptions.withProfile`: they place each node by the rules as it is written, so that fewer may be on
            the device than `check` says.

            | step | what it does |
            |---|---|
            | `drop-identity` | leaves out nodes that give what they take |
            | `fold-batch-norm` | folds a batch normalization with constant statistics into the convolution or product before it, whose weights are constant |
            | `batch-norm-as-mul-add` | makes any other batch normalization a multiplication and an addition, which are judged |
            | `pad-into-convolution` | makes zeros around an input the padding of the convolution that reads it, where that is at most half as wide as its kernel |
            | `flatten-into-product` | makes the flattening of each picture part of the product with a matrix that reads it |
            | `fold-scale` | folds a factor or a summand for each channel, or for all, into the convolution or product before it, whose weights are constant |
            | `fuse-activation` | fuses Relu and Relu6 into the convolution, product, sum, difference or pool before them |
            | `fuse-activation-into-convolution` | fuses them into the convolution or product before them alone |
            | `fuse-swish` | makes a product of a value and its Sigmoid one Swish |
            | `fuse-hard-swish` | makes a product of a value and its HardSigmoid, also where that is written as x + 3 between 0 and 6 and a sixth of it, one HardSwish |

            A node becomes part of another only where nothing else reads the value between them. A Clip from 0 to 6 is Relu6 in
            all of this, and one from 0 on is Relu. What depends on constants alone, as most arithmetic of shapes does, is computed
            before any of it, for every family.

            `--float32-as TYPE` judges a network of float32 as it is after quantization or conversion. A section
            `[quantization]` says which `types` the family's tools offer (`none` where the option means nothing), and of
            integers: which `kinds` of operators compute with them (all, if it does not say), the type of their `bias` and
            `results`, that of the tensors of all `others`, and the `source`. Without such a section all tensors of float32 are taken to be of the type.

            ## What nodes cost

            A section `[cost]` has the formulas by which devices of the family take their time, from the figures of a profile; a
            report has [estimates](../reports.md#cost) where both are known, and [estimates.md](../estimates.md) holds them against published figures.
            Units are in the names.

            | key of `[cost]` | value |
            |---|---|
            | `clock_hz` | cycles in a second; a profile in which it is not known has no estimates |
            | `memory_seconds` | of the bytes of a node: `read_bytes`, `written_bytes`, `weight_bytes` |
            | `node_seconds` | what a node takes beside |
            | `start_seconds` | the start of a partition |
            | `link_bytes_per_second`, `ends_cross` | the link to the host, and 1 if the network's own inputs and outputs go over it |
            | `resident_weight_bytes` | weights that stay on the device; the others go over the link in every run |
            | `host_multiply_adds_per_second`, `host_bytes_per_second` | the host's speed for nodes that fall back, with multiply-adds and without |
            | `float32_as` | the type of a float32 network where `--float32-as` gives none |
            | `source`, `accuracy` | the documents; the error against published figures |

            A section `[cost KINDS]` is for kinds of operators, `*` for all; the first that is meant for a node counts, and a node without one
            has no estimate. Its `cycles` are those of the arithmetic, computed with the words below, `multiply_adds` and the bytes;
            `read_bytes`, `written_bytes`, `weight_bytes` and `node_seconds` stand for those of its tensors and of `[cost]`. A node takes the longest of arithmetic and memory, and `node_seconds`.

            ## Words

            Rules speak of kinds of operators and of their geometry in the words of
            [`vocabulary.ini`](../../device-profiles/rules/vocabulary.ini), which are computed from the fields of
            [each operator](../operators.md). Of every operator there are `input_dims`, `output_dims`, `input_dtypes` and
            `output_dtypes`, lists with an element for each tensor that is given, and its own fields.
            """;

    private final ProfileCatalog profiles;
    private final OpCatalog operators;
    private final Vocabulary vocabulary;
    private final List<String> lines = new ArrayList<>();

    ProfileIndex(ProfileCatalog profiles, OpCatalog operators) {
        this.profiles = profiles;
        this.operators = operators;
        this.vocabulary = profiles.vocabulary();
    }

    String text() {
        INTRODUCTION.formatted(GeneratedFiles.COMMAND).lines().forEach(lines::add);
        lines.add("");
        families();
        OWN.lines().forEach(lines::add);
        lines.add("");
        words();
        kinds();
        return String.join("\n", lines) + "\n";
    }

    private void families() {
        MarkdownTable table = new MarkdownTable(
                List.of("family", "devices", "profiles", "rules", "evidence", "operators not listed"));
        for (RuleSet family : profiles.families()) {
            List<DeviceProfile> members = profiles.profiles().stream()
                    .filter(profile -> profile.rules().family().equals(family.family()))
                    .toList();
            boolean runsAll =
                    members.stream().allMatch(profile -> profile.operators().isEmpty());
            String others = runsAll ? "no list" : family.isComplete() ? "fall back" : "are unknown";
            table.row(List.of(
                    "[`" + family.family() + "`](" + family.family() + ".md)",
                    MarkdownTable.plain(family.title()),
                    Integer.toString(members.size()),
                    Integer.toString(family.rules().size()),
                    evidence(family),
                    others));
        }
        lines.addAll(table.lines());
    }

    /** The kinds of evidence of a family's rules. */
    private static String evidence(RuleSet family) {
        return Stream.concat(
                        family.evidence().stream(), family.rules().stream().flatMap(rule -> rule.evidence().stream()))
                .map(Evidence::kind)
                .distinct()
                .sorted()
                .map(Evidence.Kind::label)
                .collect(Collectors.joining(", "));
    }

    /** The operators with the same words and kinds, together. */
    private void words() {
        words("every operator", vocabulary.words(Vocabulary.ALL).orElseThrow());
        Map<String, Set<String>> alike = new LinkedHashMap<>();
        for (String operator : new TreeSet<>(vocabulary.operators())) {
            Vocabulary.Words words = vocabulary.words(operator).orElseThrow();
            if (!operator.equals(Vocabulary.ALL) && !words.lets().isEmpty()) {
                alike.computeIfAbsent(words.lets().toString(), none -> new TreeSet<>())
                        .add(operator);
            }
        }
        alike.values()
                .forEach(names -> words(
                        String.join(", ", names),
                        vocabulary.words(names.iterator().next()).orElseThrow()));
    }

    private void words(String title, Vocabulary.Words words) {
        lines.add("### Words of " + title);
        lines.add("");
        lines.add("```");
        int width =
                words.lets().keySet().stream().mapToInt(String::length).max().orElse(0);
        words.lets()
                .forEach((word, value) ->
                        lines.addAll(CodeLines.of(word + " ".repeat(width - word.length()) + " = ", value.source())));
        lines.add("```");
        lines.add("");
    }

    private void kinds() {
        lines.add("## Kinds");
        lines.add("");
        lines.add("Rules and lists of operators name kinds, or single operators.");
        lines.add("");
        Map<String, Set<String>> byKind = new TreeMap<>();
        Map<String, Set<String>> lowered = new TreeMap<>();
        for (OpDescription op : operators.operators()) {
            lowered.computeIfAbsent(operators.lowered(op).optype(), none -> new TreeSet<>())
                    .add(op.optype());
        }
        for (String operator : vocabulary.operators()) {
            for (String kind : vocabulary.kinds(operator)) {
                byKind.computeIfAbsent(kind, none -> new TreeSet<>())
                        .addAll(lowered.getOrDefault(operator, Set.of(operator)));
            }
        }
        MarkdownTable table = new MarkdownTable(List.of("kind", "operators, all or some uses of them"));
        byKind.forEach((kind, names) ->
                table.row(List.of("`" + kind + "`", names.stream().collect(Collectors.joining(", ")))));
        lines.addAll(table.lines());
    }
}
