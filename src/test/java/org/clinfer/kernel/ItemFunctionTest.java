package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which kernels can run in chains, why not the others, and what their common program looks like. */
class ItemFunctionTest {

    private static final String KERNEL = """
            __kernel void twice(__global const float *x, __global float *y, const int2 size) {
                twice_item(x, y, size, (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
            }
            """;

    private static final String ITEM = """
            static inline void twice_item(
                    __global const float *x, __global float *restrict y, const int2 size, const int3 at) {
                y[at.x] = 2 * x[at.x];
            }
            """;

    private static final String BOTH = """
            __kernel void twice(__global const float *x, __global float *y, const int2 kernel_size) {
                const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
                y[at.x] = 2 * x[at.x];
            }
            """;

    private static final Map<String, KernelArgument> ARGUMENTS = Map.of(
            "x", new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.INPUT, 0)),
            "size", new KernelArgument.Scalar(ByteBuffer.allocateDirect(8)));

    @TempDir
    private Path folder;

    private KernelSources sources(String text) throws IOException {
        Files.writeString(folder.resolve("a.cl"), text);
        return KernelSources.in(folder);
    }

    private static KernelLaunch launch(String options, Map<String, KernelArgument> arguments, List<Long> local) {
        return new KernelLaunch("a.cl", "twice", options, arguments, -1, List.of(6L), local);
    }

    private String refusal(String text) throws IOException {
        return sources(text).chainRefusal(launch("", ARGUMENTS, List.of())).orElse("");
    }

    @Test
    void aFunctionForOneItemMakesAKernelFit() throws IOException {
        assertThat(refusal(ITEM + KERNEL)).isEmpty();
        assertThat(refusal(
                        "// get_global_id(0) is for kernels\n" + ITEM.replace("const int3 at", "int3 place") + KERNEL))
                .isEmpty();
    }

    @Test
    void aKernelThatBeginsWithItsIdsFits() throws IOException {
        assertThat(refusal("// __kernel\n" + BOTH)).isEmpty();
        assertThat(ItemFunction.functions("int one;\n" + BOTH + "int two;")).isEqualTo("""
                int one;
                static void twice_item(__global const float *x, __global float *y, const int2 kernel_size, const int3 at) {
                    y[at.x] = 2 * x[at.x];
                }
                int two;""");
        assertThat(refusal(BOTH.replace("2 *", "get_local_id(0) *")))
                .isEqualTo("get_local_id is called outside a kernel");
        assertThat(refusal(BOTH.replace("(1), get_global_id(2)", "(2), get_global_id(1)")))
                .isEqualTo("there is no function twice_item");
        assertThat(refusal(BOTH.replace("__global const", "__constant")))
                .isEqualTo("twice_item takes __constant memory");
    }

    @Test
    void whatDoesNotFitIsTold() throws IOException {
        assertThat(refusal(KERNEL)).isEqualTo("there is no function twice_item");
        assertThat(refusal("// twice_item(x) {\n" + KERNEL)).isEqualTo("there is no function twice_item");
        assertThat(refusal(ITEM.replace("const int2", "const int3") + KERNEL))
                .startsWith("twice_item does not take what twice takes");
        assertThat(refusal(ITEM.replace(", const int3 at", "") + KERNEL))
                .startsWith("twice_item does not take what twice takes");
        assertThat(refusal(ITEM.replace("2 * x[at.x]", "get_global_id(0)") + KERNEL))
                .isEqualTo("get_global_id is called outside a kernel");
        assertThat(refusal(ITEM.replace("y[at.x] =", "barrier(CLK_LOCAL_MEM_FENCE); y[at.x] =") + KERNEL))
                .isEqualTo("barrier is called outside a kernel");
        assertThat(refusal(
                        ITEM.replace("__global const", "__constant") + KERNEL.replace("__global const", "__constant")))
                .isEqualTo("twice_item takes __constant memory");
    }

    @Test
    void macrosBeforeAnIncludeCouldChangeItForOthers() throws IOException {
        Files.writeString(folder.resolve("b.h"), "static int width(void) { return WIDTH; }\n");
        assertThat(refusal("#define WIDTH 4\n#include \"b.h\"\n" + ITEM + KERNEL))
                .startsWith("a macro is defined before");
        assertThat(refusal("// #define NONE\n#include \"b.h\"\n#define WIDTH 4\n" + ITEM + KERNEL))
                .isEmpty();
    }

    @Test
    void buildOptionsAndSharedLocalMemoryAreRefused() throws IOException {
        KernelSources sources = sources(ITEM + KERNEL);
        assertThat(sources.chainRefusal(launch("-DWIDTH=4", ARGUMENTS, List.of())))
                .hasValue("its program is built with -DWIDTH=4");
        Map<String, KernelArgument> local = Map.of("size", new KernelArgument.Local(64));
        assertThat(sources.chainRefusal(launch("", local, List.of()))).hasValue("its work-items share local memory");
        assertThat(sources.chainRefusal(launch("", local, List.of(2L)))).hasValue("its work-items share local memory");
        assertThat(sources.chainRefusal(launch("", local, List.of(1L)))).isEmpty();
        assertThat(sources.chainRefusal(launch("", ARGUMENTS, List.of(2L)))).isEmpty();
    }

    @Test
    void aProgramOfSeveralFilesHasWhatTheyIncludeOnceAndKeepsTheirMacrosApart() throws IOException {
        Files.createDirectory(folder.resolve("common"));
        Files.writeString(
                folder.resolve("common/chain.h"),
                "interpreter\n__kernel void clinfer_chain(__global const int *table) {}\n");
        Files.writeString(folder.resolve("b.h"), "shared\n");
        Files.writeString(
                folder.resolve("a.cl"), "#include \"b.h\"\n#define WIDTH 4\n# define AT(i) (i)\n" + ITEM + KERNEL);
        Files.writeString(
                folder.resolve("c.cl"),
                "#include \"b.h\"\n#ifndef WIDTH\n#define WIDTH 8\n#endif\n"
                        + (ITEM + KERNEL).replace("twice", "thrice"));
        ChainSource source = ChainSource.of(
                KernelSources.in(folder),
                List.of(new ChainSource.Function("a.cl", "twice"), new ChainSource.Function("c.cl", "thrice")));
        assertThat(source.text()).containsOnlyOnce("shared").containsOnlyOnce("interpreter");
        assertThat(source.text())
                .containsSubsequence("#define WIDTH 4", "#undef WIDTH", "#undef AT", "#define WIDTH 8");
        assertThat(source.text())
                .containsSubsequence(
                        "static void chain_function_0",
                        "CHAIN_VALUE(int2, a2)",
                        "twice_item((__global float *)a0, (__global float *)a1, a2.value, at)",
                        "static void chain_function_1",
                        "thrice_item(",
                        "case 0: chain_function_0",
                        "case 1: chain_function_1");
    }

    @Test
    void aProgramHasOnlyTheFunctionsThatItsLaunchesCall() throws IOException {
        Files.createDirectory(folder.resolve("common"));
        Files.writeString(
                folder.resolve("common/chain.h"),
                "interpreter\n__kernel void clinfer_chain(__global const int *table) {}\n");
        Files.writeString(
                folder.resolve("a.cl"),
                "#define CASE(N) if (IS_LAUNCHED(twice, size_y, N) && IS_LAUNCHED(other, kind, 1))\n" + ITEM + KERNEL);
        KernelSources sources = KernelSources.in(folder);
        List<ChainSource.Function> functions =
                ChainSource.functions(sources, List.of(sized(1, 7), sized(2, 5), sized(3, 7)));
        ChainSource source = ChainSource.of(sources, functions);
        assertThat(functions).hasSize(1);
        assertThat(source.text())
                .startsWith("#define CLINFER_LAUNCHED\n")
                .contains("#define LAUNCHED_other_kind(value) (0)\n")
                .contains("#define LAUNCHED_twice_size_y(value) ((value) == 5 || (value) == 7)\n")
                .doesNotContain("size_x");
        assertThat(source.number(sized(9, 5))).isZero();
        assertThatThrownBy(() -> source.number(sized(1, 6)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not made for this launch of twice");
    }

    private static KernelLaunch sized(int x, int y) {
        ByteBuffer size = ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN);
        size.putInt(x).putInt(y).flip();
        return launch("", Map.of("size", new KernelArgument.Scalar(size)), List.of());
    }
}
