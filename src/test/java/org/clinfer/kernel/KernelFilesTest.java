package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.LaunchDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.kernel.KernelSignature.Parameter;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.ClProgram;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernel files and the variant descriptions fit together. */
class KernelFilesTest {

    private static final Path FOLDER = Path.of("kernels-cl");
    private static final KernelSources SOURCES = KernelSources.in(FOLDER);

    static Stream<VariantDescription> variants() {
        return OpCatalog.builtIn().operators().stream()
                .flatMap(op -> OpCatalog.builtIn().variants(op.optype()).stream());
    }

    static List<Path> kernelFiles() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".cl"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void argumentsAreTheParametersOfTheKernel(VariantDescription variant) {
        for (LaunchDescription launch : variant.launches()) {
            Set<String> parameters =
                    KernelSignature.of(SOURCES.text(launch.file()), launch.entry()).parameters().stream()
                            .map(Parameter::name)
                            .collect(Collectors.toSet());
            assertThat(launch.args().keySet()).as(variant.optype()).isEqualTo(parameters);
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void launchesFitTheirKernels(VariantDescription variant) {
        OpDescription op = OpCatalog.builtIn().find(variant.inherits()).orElseThrow();
        assertThat(new KernelVariant(op, variant, SOURCES, new DeviceValues()).mistakes())
                .isEmpty();
    }

    /** A function for one item that a chain could not use would be there in vain. */
    @ParameterizedTest
    @MethodSource("variants")
    void functionsForOneItemCanBeUsedInChains(VariantDescription variant) {
        for (LaunchDescription launch : variant.launches()) {
            if (hasFunctionForOneItem(launch)) {
                KernelLaunch plain =
                        new KernelLaunch(launch.file(), launch.entry(), "", Map.of(), -1, List.of(1L), List.of());
                assertThat(SOURCES.chainRefusal(plain)).as(variant.optype()).isEmpty();
            }
        }
    }

    private static boolean hasFunctionForOneItem(LaunchDescription launch) {
        return ItemFunction.functions(SOURCES.text(launch.file())).contains(ItemFunction.name(launch.entry()) + "(");
    }

    @ParameterizedTest
    @MethodSource("variants")
    void everyMacroThatIsSetHasADefault(VariantDescription variant) {
        for (LaunchDescription launch : variant.launches()) {
            String text = SOURCES.text(launch.file());
            assertThat(launch.build().keySet())
                    .as(variant.optype())
                    .allMatch(macro -> text.contains("#define " + macro + " "));
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void everyCheckOfAVariantHasAMessage(VariantDescription variant) {
        assertThat(variant.checks())
                .as(variant.optype())
                .allMatch(check -> !check.message().isEmpty());
    }

    @Test
    @RequiresOpenCl
    void allKernelsOfChainsBuildAsOneProgram() {
        List<ChainSource.Function> functions = variants()
                .flatMap(variant -> variant.run().stream())
                .filter(KernelFilesTest::hasFunctionForOneItem)
                .map(launch -> new ChainSource.Function(launch.file(), launch.entry()))
                .distinct()
                .sorted(Comparator.comparing(ChainSource.Function::file).thenComparing(ChainSource.Function::entry))
                .toList();
        assertThat(functions).isNotEmpty();
        ChainSource source = ChainSource.of(SOURCES, functions);
        OpenCl openCl = ((ClLoad.Available) OpenCl.open(ClBinding.LWJGL)).openCl();
        try (ClContext context = openCl.context(openCl.devices().get(0));
                ClProgram program = context.program("chain", source.text(), "");
                ClKernel kernel = program.kernel(ChainSource.ENTRY, source.parameters())) {
            assertThat(kernel.argumentNames()).hasSize(4 + ChainSource.POOLS);
        }
    }

    @Test
    @RequiresOpenCl
    void allKernelsThatPackWeightsBuildAsOneProgram() {
        List<String> files = variants()
                .map(VariantDescription::body)
                .filter(VariantDescription.Launches.class::isInstance)
                .flatMap(body -> ((VariantDescription.Launches) body).staticRun().stream())
                .map(LaunchDescription::file)
                .distinct()
                .sorted()
                .filter(SOURCES::isJoinable)
                .toList();
        assertThat(files).hasSizeGreaterThan(3);
        OpenCl openCl = ((ClLoad.Available) OpenCl.open(ClBinding.LWJGL)).openCl();
        try (ClContext context = openCl.context(openCl.devices().get(0));
                ClProgram program = context.program("packing", SOURCES.text(files), "")) {
            assertThat(program).isNotNull();
        }
    }

    @Test
    void theReferenceStandsLast() {
        for (OpDescription op : OpCatalog.builtIn().operators()) {
            List<VariantDescription> variants = OpCatalog.builtIn().variants(op.optype());
            if (!variants.isEmpty()) {
                VariantDescription last = variants.get(variants.size() - 1);
                assertThat(last.isReference() || last.run().isEmpty())
                        .as("%s ends with %s", op.optype(), last.variant())
                        .isTrue();
            }
        }
    }

    @Test
    void everyKernelFileIsUsed() throws IOException {
        TreeSet<String> used = new TreeSet<>();
        variants().forEach(variant -> variant.launches().forEach(launch -> used.add(launch.file())));
        assertThat(kernelFiles())
                .allMatch(file -> used.contains(FOLDER.relativize(file).toString()));
    }

    @ParameterizedTest
    @MethodSource("kernelFiles")
    void aKernelFileBeginsWithWhatItDoesAndNeeds(Path file) throws IOException {
        List<String> header = Files.readAllLines(file).stream()
                .takeWhile(line -> line.startsWith("//"))
                .toList();
        assertThat(header).hasSizeBetween(5, 12);
        assertThat(header).anyMatch(line -> line.startsWith("// Layout:"));
        assertThat(header).anyMatch(line -> line.startsWith("// Assumes:"));
        assertThat(header).anyMatch(line -> line.startsWith("// Macros:"));
    }
}
