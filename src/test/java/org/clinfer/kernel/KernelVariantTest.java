package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Binding;
import org.clinfer.describe.OpBinder;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variants of a made-up operator on a made-up device. */
class KernelVariantTest {

    private static final DeviceFacts DEVICE = new DeviceFacts(
            "Toaster",
            "Acme",
            "1",
            "Acme CL",
            "1.2",
            DeviceFacts.Kind.GPU,
            Set.of("cl_khr_fp16"),
            Map.of("max_work_group_size", 64L));

    private static final String OPERATOR = """
            {"ops": [{"optype": "Blend", "author": "me", "arch": "none",
              "tensors_in": [
                {"arg_name": "x", "mtype": "LN_MEM_NONE"},
                {"arg_name": "mask", "mtype": "LN_MEM_NONE", "optional": true},
                {"arg_name": "others", "mtype": "LN_MEM_NONE", "optional": true, "variadic": true}],
              "params": [{"arg_name": "alpha", "ptype": "LN_PARAM_NUMBER", "realtype": "double", "default": 0.5}],
              "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]}]}
            """;

    private static final String KERNELS = """
            kernel void start(global const float *x, global const float *mask, global float *y,
                              float alpha, int len, local float *tile) {}
            kernel void more(global const float *others, global float *y, int which, int len) {}
            kernel void some(global const float *first, global const float *third, global STORED *y,
                             REAL alpha, WIDE len) {}
            """;

    private static final String START = """
            {"kernel": "blend.cl#start", "build": {"MASKED": "has(mask)", "WIDTH": "4", "TYPE": "'float'"},
             "args": {"x": "x", "mask": "mask", "y": "y", "alpha": "alpha", "len": "x.len", "tile": "lanes * 4"},
             "global": ["x.len", "2"], "local": ["8", "1"]}""";

    private static final String MORE = """
            {"kernel": "blend.cl#more", "each": "others", "when": "others.len > 1",
             "args": {"others": "others", "y": "y", "which": "index", "len": "others.len"},
             "global": ["others.len"]}""";

    private static final String SOME = """
            {"kernel": "blend.cl#some", "build": {"ELEMENT": "'%s'"},
             "args": {"first": "others[0]", "third": "others[2]", "y": "y", "alpha": "alpha", "len": "x.len"},
             "global": ["x.len"]}""";

    @TempDir
    private Path folder;

    @BeforeEach
    void describe() throws IOException {
        Files.writeString(folder.resolve("blend.json"), OPERATOR);
        Files.writeString(folder.resolve("blend.cl"), KERNELS);
    }

    private KernelVariant variant(String checks, String... launches) throws IOException {
        return described("\"checks\": [%s]".formatted(checks), launches);
    }

    /** With further fields of the description. */
    private KernelVariant described(String fields, String... launches) throws IOException {
        Files.writeString(folder.resolve("blend_ref.json"), """
                {"ops": [{"optype": "Blend_ref", "author": "me", "arch": "opencl", "inherits": "Blend",
                  "variant": "ref", %s, "extra_privs": [{"type": "int", "name": "lanes", "value": "16"}],
                  "run": [%s]}]}
                """.formatted(fields, String.join(", ", launches)));
        KernelCatalog catalog = KernelCatalog.of(OpCatalog.of(folder), KernelSources.in(folder));
        assertThat(catalog.variants("Blend")).hasSize(1);
        return catalog.variants("Blend").get(0);
    }

    /** A use with x of 13 elements, and as many more inputs as sizes are given; -1 leaves one out. */
    private OperatorUse use(long... others) {
        List<@Nullable ArgValue> inputs = new ArrayList<>();
        inputs.add(ArgValue.of(TensorType.of(DType.FLOAT32, 13)));
        for (long size : others) {
            inputs.add(size < 0 ? null : ArgValue.of(TensorType.of(DType.FLOAT32, size)));
        }
        Binding binding = OpBinder.bind(
                OpCatalog.of(folder).find("Blend").orElseThrow(),
                "n",
                inputs,
                Map.of("alpha", ExpressionValue.of(0.25)),
                1);
        assertThat(binding.violations()).isEmpty();
        return new OperatorUse(
                binding.scope(), inputs.stream().map(input -> input != null).toList(), 1);
    }

    private static ByteBuffer scalar(KernelLaunch launch, String parameter) {
        KernelArgument.Scalar scalar = (KernelArgument.Scalar)
                Objects.requireNonNull(launch.arguments().get(parameter));
        return scalar.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int integer(KernelLaunch launch, String parameter) {
        return scalar(launch, parameter).getInt();
    }

    @Test
    void acceptsWhatPassesAllChecks() throws IOException {
        KernelVariant variant = variant(
                "{\"check\": \"x.dtype == 'float32'\"}, {\"check\": \"device.kind == 'gpu'\"},"
                        + "{\"check\": \"has_extension('cl_khr_fp16')\"}",
                START);
        assertThat(variant.accept(use(), DEVICE)).isInstanceOf(Accept.Yes.class);
        assertThat(variant.name()).isEqualTo("ref");
        assertThat(variant.optype()).isEqualTo("Blend_ref");
    }

    @Test
    void bindsSingleVariadicTensorsAndElementTypes() throws IOException {
        KernelLaunch floats = variant("", SOME.formatted("bfloat16"))
                .plan(use(-1, 2, 3), DEVICE)
                .run()
                .get(0);
        assertThat(floats.arguments())
                .containsEntry("first", new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.INPUT, 2)))
                .containsEntry("third", new KernelArgument.Missing());
        assertThat(scalar(floats, "alpha").getFloat()).isEqualTo(0.25f);
        assertThat(scalar(floats, "len").getFloat()).isEqualTo(13f);
        KernelLaunch doubles = variant("", SOME.formatted("float64"))
                .plan(use(-1, 2, 3, 4), DEVICE)
                .run()
                .get(0);
        assertThat(doubles.arguments())
                .containsEntry("third", new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.INPUT, 4)));
        assertThat(scalar(doubles, "alpha").getDouble()).isEqualTo(0.25);
    }

    @Test
    void coefficientsOfIntegersNeedDouble() throws IOException {
        KernelVariant variant = variant("", SOME.formatted("int16"));
        DeviceFacts withDouble = new DeviceFacts(
                DEVICE.name(),
                DEVICE.vendor(),
                DEVICE.driver(),
                DEVICE.platform(),
                DEVICE.openclVersion(),
                DEVICE.kind(),
                Set.of("cl_khr_fp64"),
                DEVICE.limits());
        KernelLaunch integers = variant.plan(use(-1, 2), withDouble).run().get(0);
        assertThat(scalar(integers, "alpha").getDouble()).isEqualTo(0.25);
        assertThat(scalar(integers, "len").getLong()).isEqualTo(13);
        assertThat(variant.accept(use(-1, 2), DEVICE))
                .isInstanceOfSatisfying(
                        Accept.No.class,
                        no -> assertThat(no.reasons().get(0)).contains("alpha: integers times 0.25 need float64"));
    }

    @Test
    void refusesWithEveryReasonAndTheValues() throws IOException {
        KernelVariant variant = variant(
                "{\"check\": \"device.max_work_group_size >= 256, \\\"needs large groups\\\"\"},"
                        + "{\"check\": \"x.len < 99\"}, {\"check\": \"has(mask), \\\"a mask\\\"\"}",
                START);
        assertThat(variant.accept(use(), DEVICE)).isInstanceOfSatisfying(Accept.No.class, no -> {
            assertThat(no.reasons()).hasSize(2);
            assertThat(no.reasons().get(0)).contains("needs large groups", "device.max_work_group_size = 64");
            assertThat(no.reasons().get(1)).contains("a mask");
        });
    }

    @Test
    void isMeantForTheKindOfDeviceItNames() throws IOException {
        assertThat(variant("", START).isFor(DEVICE)).isTrue();
        assertThat(described("\"device_kind\": \"gpu\"", START).accept(use(), DEVICE))
                .isInstanceOf(Accept.Yes.class);
        KernelVariant other = described("\"device_kind\": \"cpu\"", START);
        assertThat(other.isFor(DEVICE)).isFalse();
        assertThat(other.accept(use(), DEVICE))
                .isEqualTo(new Accept.No(List.of("meant for another kind of device (cpu) than gpu")));
    }

    @Test
    void roundsFactorsWhereThatIsAllowed() throws IOException {
        KernelVariant variant = variant("{\"check\": \"device.tf32, \\\"rounded factors are not allowed\\\"\"}", START);
        assertThat(variant.roundsToTf32()).isTrue();
        assertThat(variant.accept(use(), DEVICE.withTf32(true))).isInstanceOf(Accept.Yes.class);
        assertThat(variant.accept(use(), DEVICE))
                .isEqualTo(new Accept.No(List.of("rounded factors are not allowed (device.tf32 = false)")));
        assertThat(variant("", START).roundsToTf32()).isFalse();
    }

    @Test
    void refusesWhereADeviceDoesNotSay() throws IOException {
        KernelVariant variant = variant("{\"check\": \"device.local_mem_size >= 1024\"}", START);
        assertThat(variant.accept(use(), DEVICE)).isInstanceOf(Accept.No.class);
    }

    @Test
    void describesOneLaunchCompletely() throws IOException {
        KernelLaunch launch = variant("", START).plan(use(13), DEVICE).run().get(0);
        assertThat(launch.file()).isEqualTo("blend.cl");
        assertThat(launch.entry()).isEqualTo("start");
        assertThat(launch.options()).isEqualTo("-DMASKED=1 -DWIDTH=4 -DTYPE=float");
        assertThat(launch.arguments().keySet()).containsExactly("x", "mask", "y", "alpha", "len", "tile");
        assertThat(launch.arguments())
                .containsEntry("x", new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.INPUT, 0)))
                .containsEntry("mask", new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.INPUT, 1)))
                .containsEntry("y", new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.OUTPUT, 0)))
                .containsEntry("tile", new KernelArgument.Local(64));
        assertThat(integer(launch, "len")).isEqualTo(13);
        assertThat(integer(launch, "alpha")).isEqualTo(Float.floatToRawIntBits(0.25f));
    }

    @Test
    void roundsGlobalSizesUpToWholeGroups() throws IOException {
        KernelLaunch launch = variant("", START).plan(use(), DEVICE).run().get(0);
        assertThat(launch.global()).containsExactly(16L, 2L);
        assertThat(launch.local()).containsExactly(8L, 1L);
        KernelLaunch free = variant("", START.replace(", \"local\": [\"8\", \"1\"]", ""))
                .plan(use(), DEVICE)
                .run()
                .get(0);
        assertThat(free.global()).containsExactly(13L, 2L);
        assertThat(free.local()).isEmpty();
    }

    @Test
    void bindsNothingToAMissingTensor() throws IOException {
        KernelVariant variant = variant("", START);
        for (OperatorUse use : List.of(use(), use(-1))) {
            KernelLaunch launch = variant.plan(use, DEVICE).run().get(0);
            assertThat(launch.arguments()).containsEntry("mask", new KernelArgument.Missing());
            assertThat(launch.options()).startsWith("-DMASKED=0 ");
        }
    }

    @Test
    void repeatsALaunchForEachTensor() throws IOException {
        List<KernelLaunch> launches =
                variant("", START, MORE).plan(use(-1, 5, 6, 7), DEVICE).run();
        assertThat(launches).extracting(KernelLaunch::entry).containsExactly("start", "more", "more", "more");
        for (int i = 0; i < 3; i++) {
            KernelLaunch launch = launches.get(i + 1);
            assertThat(launch.arguments())
                    .containsEntry("others", new KernelArgument.Buffer(new TensorRef(TensorRef.Kind.INPUT, i + 2)));
            assertThat(integer(launch, "which")).isEqualTo(i);
            assertThat(integer(launch, "len")).isEqualTo(i + 5);
            assertThat(launch.global()).containsExactly(i + 5L);
        }
    }

    @Test
    void leavesOutLaunchesWithNothingToDo() throws IOException {
        List<KernelLaunch> launches =
                variant("", MORE).plan(use(-1, 1, 6, 0, 7), DEVICE).run();
        assertThat(launches.stream().map(launch -> integer(launch, "which"))).containsExactly(1, 3);
        String always = MORE.replace("\"when\": \"others.len > 1\",", "");
        assertThat(variant("", always).plan(use(-1, 1, 6, 0, 7), DEVICE).run()).hasSize(3);
    }

    @Test
    void refusesAUseForWhichNothingIsLaunched() throws IOException {
        KernelVariant variant = variant("", MORE);
        assertThat(variant.accept(use(-1, 1, 6), DEVICE)).isInstanceOf(Accept.Yes.class);
        assertThat(variant.accept(use(-1, 1, 1), DEVICE))
                .isEqualTo(new Accept.No(List.of("y: nothing is launched for it")));
    }

    @Test
    void everyOutputIsGivenToAKernel() throws IOException {
        assertThat(variant("", MORE).mistakes()).isEmpty();
        KernelVariant variant = variant("", MORE.replace("\"y\": \"y\"", "\"y\": \"x\""));
        assertThat(variant.mistakes())
                .singleElement(STRING)
                .endsWith("variant Blend_ref launches nothing that takes the output 'y'");
    }

    /** What a parameter of the kernel cannot take is found before there is a use, all of it. */
    @Test
    void argumentsAreOfTheTypesOfTheirParameters() throws IOException {
        String wrong = START.replace("\"y\": \"y\"", "\"y\": \"alpha\"")
                .replace("\"len\": \"x.len\"", "\"len\": \"x.dtype\"")
                .replace("\"alpha\": \"alpha\"", "\"alpha\": \"x.dims\"");
        assertThat(variant("", wrong, MORE).mistakes())
                .hasSize(3)
                .anySatisfy(mistake -> assertThat(mistake)
                        .contains("blend_ref.json: ops[0].run[0].args.y: 'alpha' is no tensor of Blend"))
                .anySatisfy(mistake -> assertThat(mistake)
                        .contains("ops[0].run[0].args.len: expected an int or a bool, not a string")
                        .endsWith("for the kernel parameter 'len' of type int"))
                .anySatisfy(mistake -> assertThat(mistake)
                        .contains("ops[0].run[0].args.alpha: expected a number or a bool, not a list of ints")
                        .endsWith("for the kernel parameter 'alpha' of type float"));
    }

    @Test
    void refusesAUseThatItsExpressionsCannotTake() throws IOException {
        KernelVariant variant = variant("", START.replace("\"x.len\", \"2\"", "\"x.dims[3]\", \"2\""));
        assertThat(variant.accept(use(), DEVICE)).isInstanceOf(Accept.No.class);
    }

    private void doesNotFit(String launch, String... words) throws IOException {
        KernelVariant variant = variant("", launch);
        assertThatThrownBy(() -> variant.plan(use(13), DEVICE).run())
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(Arrays.asList(words)));
    }

    @Test
    void saysWhereDescriptionAndKernelDoNotFit() throws IOException {
        doesNotFit(
                START.replace("\"alpha\": \"alpha\", ", ""),
                "blend_ref.json: variant Blend_ref binds nothing to parameter 'alpha' of start");
        doesNotFit(
                START.replace("\"x\": \"x\"", "\"x\": \"x\", \"extra\": \"1\""),
                "blend_ref.json: variant Blend_ref binds [",
                "extra",
                "but start takes [x, mask, y, alpha, len, tile]");
        doesNotFit(START.replace("\"y\": \"y\"", "\"y\": \"alpha\""), "'alpha' is no tensor of Blend");
        doesNotFit(START.replace("\"len\": \"x.len\"", "\"len\": \"x.dtype\""), "argument 'len'", "'float32'");
        doesNotFit(START.replace("\"len\": \"x.len\"", "\"len\": \"3000000000\""), "argument 'len'", "overflow");
        doesNotFit(START.replace("\"x.len\", \"2\"", "\"x.len - 14\", \"2\""), "a launch size must be a number >= 0");
        doesNotFit(
                START.replace("\"WIDTH\": \"4\"", "\"WIDTH\": \"device.costs.tile_sizes\""),
                "a build option must be a number");
        doesNotFit(START.replace("#start", "#begin"), "no entry point 'begin'");
    }
}
