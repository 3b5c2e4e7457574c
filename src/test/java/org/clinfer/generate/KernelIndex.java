package org.clinfer.generate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.LaunchDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;

/** The page of the kernels' folder: operators with the variants that each kind of device tries, and the files. */
final class KernelIndex {

    private static final String INTRODUCTION = """
            # OpenCL kernels

            A folder for each subject, and `common` for headers. A file is called

                <operator>_<layout>[_cpu|_gpu]_<method>.cl

            and has the entry points of one variant or of several that are alike. The operator is the family that the kernel
            computes; `conv` is every convolution, because all are lowered to FusedConv. The layout says how tensors lie:

            | layout | meaning |
            |---|---|
            | `any`, `nd` | strides are arguments |
            | `ncx`, `nchw`, `planes` | channels before rows and columns, any number of these or two |
            | `nxc` | channels last |
            | `blocked`, `blocks` | blocks of 16 channels, which are last (nChw16c) |
            | `rows`, `flat`, `axis`, `strided`, `rowmajor` | matrices and lines, as the header of the file says |

            `cpu` or `gpu` stands in the name where only OpenCL devices of that kind are offered the kernel; a file without the
            word serves all. The method `ref` takes every shape and type of the operator, is last in every list, and is what the
            others are compared with. A header in each file gives layout, assumptions and macros.

            How to add one: [CONTRIBUTING.md](../CONTRIBUTING.md#add-a-kernel-variant). Why they are as they are:
            [docs/kernels.md](../docs/kernels.md). This page is generated from the operator descriptions and the files.

            ## Which kernel a device gets

            A node takes the first variant of its operator whose conditions hold (`clinfer run --placement` names it). Operators
            with the same list share a row.
            """;

    private final OpCatalog catalog;
    private final Path folder;

    KernelIndex(OpCatalog catalog, Path folder) {
        this.catalog = catalog;
        this.folder = folder;
    }

    String text() {
        List<String> lines = new ArrayList<>(INTRODUCTION.lines().toList());
        lines.add("");
        lines.addAll(variants().lines());
        lines.addAll(List.of("", "## Files", ""));
        lines.addAll(files().lines());
        return String.join("\n", lines) + "\n";
    }

    private MarkdownTable variants() {
        Map<List<String>, List<String>> rows = new LinkedHashMap<>();
        List<OpDescription> operators = catalog.operators().stream()
                .sorted(Comparator.comparing(OpDescription::optype))
                .toList();
        for (OpDescription op : operators) {
            List<VariantDescription> variants = catalog.variants(op.optype()).stream()
                    .filter(variant -> !variant.launches().isEmpty())
                    .toList();
            if (!variants.isEmpty()) {
                List<String> cells = List.of(list(variants, "cpu"), list(variants, "gpu"));
                rows.computeIfAbsent(cells, same -> new ArrayList<>()).add(op.optype());
            }
        }
        MarkdownTable table = new MarkdownTable(List.of("operators", "CPU devices", "GPUs"));
        rows.forEach((cells, names) -> table.row(List.of(String.join(", ", names), cells.get(0), cells.get(1))));
        return table;
    }

    /** The variants that a kind of device tries, in order, with their files. */
    private static String list(List<VariantDescription> variants, String kind) {
        return variants.stream()
                .filter(variant -> variant.deviceKind().map(kind::equals).orElse(true))
                .map(variant -> "`" + variant.variant() + "` (" + files(variant) + ")")
                .collect(Collectors.joining(", "));
    }

    private static String files(VariantDescription variant) {
        return variant.launches().stream()
                .map(LaunchDescription::file)
                .distinct()
                .map(file -> "[" + name(Path.of(file)) + "](" + file + ")")
                .collect(Collectors.joining(" "));
    }

    private MarkdownTable files() {
        MarkdownTable table = new MarkdownTable(List.of("file", "content"));
        try (Stream<Path> found = Files.walk(folder)) {
            found.filter(file -> file.toString().endsWith(".cl")).sorted().forEach(file -> {
                String path = folder.relativize(file).toString().replace('\\', '/');
                table.row(List.of("[" + name(file) + "](" + path + ")", MarkdownTable.plain(firstSentence(file))));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return table;
    }

    private static String name(Path file) {
        return Optional.ofNullable(file.getFileName()).orElseThrow().toString().replaceFirst("\\.cl$", "");
    }

    /** The first sentence of the comment that a file begins with. */
    private static String firstSentence(Path file) {
        try {
            String comment = Files.readAllLines(file).stream()
                    .takeWhile(line -> line.startsWith("//"))
                    .map(line -> line.substring(2).strip())
                    .takeWhile(line -> !line.isEmpty())
                    .collect(Collectors.joining(" "));
            return comment.replaceFirst("(?<=[^.][.])\\s+(?=[A-Z]).*", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
