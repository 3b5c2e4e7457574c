package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.robustness.OnnxModel.INT64;
import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;
import static org.clinfer.robustness.OnnxModel.subgraph;
import static org.clinfer.robustness.OnnxModel.text;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad models, inputs and options end with code 2 and one line on stderr, soon, and leave no file behind. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostileInputTest {

    private static final long TEN_GIGABYTES_OF_FLOATS = 2_500_000_000L;

    private record Ran(int code, List<String> out, List<String> err) {}

    @TempDir
    Path folder;

    private static Ran clinfer(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] texts = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), texts);
        return new Ran(
                code, out.toString().lines().toList(), err.toString().lines().toList());
    }

    private void assertRefused(Ran ran, String... reasons) throws IOException {
        assertThat(ran.err()).as(ran.toString()).hasSize(1);
        assertThat(ran.err().get(0)).startsWith("clinfer: ").doesNotContain("unexpected", "--debug");
        for (String reason : reasons) {
            assertThat(ran.err().get(0)).contains(reason);
        }
        assertThat(ran.code()).as(ran.toString()).isEqualTo(2);
        assertThat(files()).noneMatch(file -> file.contains(".part"));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toString).toList();
        }
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("m.onnx"), bytes);
    }

    /** Runs a model on the CPU, its one input x being zeros. */
    private Ran run(OnnxModel model) throws IOException {
        return clinfer(
                "run", write(model.bytes()), "--device", "cpu", "--input", "x=zeros", "-o", folder.resolve("out"));
    }

    private void assertRefused(OnnxModel model, String... reasons) throws IOException {
        assertRefused(run(model), reasons);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private static OnnxModel small() {
        return new OnnxModel()
                .input("x", 1, 2, 4, 4)
                .weights("w", 3, 2, 3, 3)
                .node("Conv", "x,w", "c", ints("strides", 1, 1), ints("pads", 1, 1, 1, 1))
                .node("Relu", "c", "y");
    }

    private static OnnxModel oneByFour(String op) {
        return new OnnxModel().input("x", 1, 4).node(op, "x", "y");
    }

    @Test
    void truncatedModels() throws IOException {
        byte[] whole = small().bytes();
        assertThat(run(small()).code()).isZero();
        for (int length = 1; length < whole.length; length += 1 + whole.length / 40) {
            Ran ran = clinfer("run", write(Arrays.copyOf(whole, length)), "--device", "cpu", "--input", "x=zeros");
            assertRefused(ran, "m.onnx");
        }
    }

    @Test
    void corruptedModels() throws IOException {
        byte[] whole = small().bytes();
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int i = 0; i < 1 + seed % 4; i++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            Ran ran = clinfer(
                    seed % 3 == 0 ? "check" : "run",
                    write(damaged),
                    "--device",
                    "cpu",
                    "--input",
                    seed % 3 == 0 ? "x=1x2x4x4" : "x=zeros");
            if (ran.code() == 2) {
                assertRefused(ran);
            } else {
                assertThat(ran.code()).as("seed " + seed + ": " + ran).isIn(0, 1);
                assertThat(ran.err()).as("seed " + seed).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "check", "verify"})
    void filesThatAreNoModels(String command) throws IOException {
        assertRefused(clinfer(command, folder.resolve("none.onnx")), "none.onnx: no such file");
        Path empty = Files.createFile(folder.resolve("empty.onnx"));
        Path other = Files.writeString(folder.resolve("notes.txt"), "not a model at all");
        Path picture = Files.write(folder.resolve("p.onnx"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
        if (!command.equals("verify")) {
            assertRefused(clinfer(command, empty, "--device", "cpu"), "empty.onnx", "the file is empty");
            assertRefused(clinfer(command, other, "--device", "cpu"), "unknown kind of model file");
            assertRefused(clinfer(command, picture, "--device", "cpu"), "p.onnx: not a valid ONNX model");
            assertRefused(clinfer(command, folder, "--device", "cpu"), "is a folder");
        } else {
            assertRefused(clinfer(command, other), "notes.txt");
            assertRefused(clinfer(command, folder), "no test case");
        }
    }

    @Test
    void aBrokenCaseOfVerifyIsAFailedOne() throws IOException {
        Path test = Files.createDirectories(folder.resolve("case/test_data_set_0"));
        Files.write(folder.resolve("case/model.onnx"), Arrays.copyOf(small().bytes(), 100));
        Files.write(test.resolve("input_0.pb"), new byte[] {1, 2, 3});
        Files.write(test.resolve("output_0.pb"), new byte[0]);
        Ran ran = clinfer("verify", folder, "--device", "cpu");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).hasSize(2);
        assertThat(ran.out().get(0)).startsWith("FAIL ").contains("model.onnx");
        assertThat(ran.err()).isEmpty();
    }

    private static TensorProto.Builder external(String location, long offset, long length) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName("w")
                .setDataType(OnnxModel.FLOAT)
                .addDims(4)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL);
        List.of(
                        List.of("location", location),
                        List.of("offset", Long.toString(offset)),
                        List.of("length", Long.toString(length)))
                .forEach(entry -> tensor.addExternalData(
                        StringStringEntryProto.newBuilder().setKey(entry.get(0)).setValue(entry.get(1))));
        return tensor;
    }

    private static OnnxModel withExternal(String location, long offset, long length) {
        return new OnnxModel()
                .input("x", 1, 4)
                .initializer(external(location, offset, length))
                .node("Add", "x,w", "y");
    }

    @Test
    void externalData() throws IOException {
        Path models = Files.createDirectories(folder.resolve("models"));
        Files.write(folder.resolve("secret"), new byte[16]);
        Files.write(models.resolve("weights"), new byte[16]);
        Files.createSymbolicLink(models.resolve("link"), folder.resolve("secret"));
        Object[][] refusals = {
            {withExternal("gone", 0, 16), "the external file 'gone' is missing"},
            {withExternal("../secret", 0, 16), "outside the model's folder"},
            {withExternal("a/../../secret", 0, 16), "outside the model's folder"},
            {withExternal(folder.resolve("secret").toString(), 0, 16), "outside the model's folder"},
            {withExternal("link", 0, 16), "outside the model's folder"},
            {withExternal("weights", 8, 16), "it needs 16 bytes from offset 8"},
            {withExternal("weights", Long.MAX_VALUE, 16), "it needs 16 bytes from offset"},
            {withExternal("weights", -1, 16), "offset"},
            {withExternal("weights", 0, 1L << 60), "its external data has " + (1L << 60)},
            {withExternal("", 0, 16), "external"},
            {withExternal(".", 0, 16), "'.'"},
            {withExternal("a\u0000b", 0, 16), "not a file name"},
        };
        for (Object[] refusal : refusals) {
            Path model = Files.write(models.resolve("m.onnx"), ((OnnxModel) refusal[0]).bytes());
            assertRefused(clinfer("run", model, "--device", "cpu", "--input", "x=zeros"), "'w'", (String) refusal[1]);
        }
        Path sound = Files.write(
                models.resolve("m.onnx"), withExternal("weights", 0, 16).bytes());
        assertThat(clinfer("run", sound, "--device", "cpu", "--input", "x=zeros")
                        .code())
                .isZero();
    }

    private Path npy(String name, Tensor tensor) throws IOException {
        Path file = folder.resolve(name);
        NpyFile.write(file, tensor);
        return file;
    }

    @Test
    void inputsThatDoNotFit() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        assertRefused(clinfer("run", model, "--device", "cpu"), "x (1x4:float32)");
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "z=zeros"), "no input 'z'");
        Path five = npy("five.npy", Tensor.of(new float[5], 1, 5));
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", five), "1x4:float32", "1x5:float32");
        Path flat = npy("flat.npy", Tensor.of(new float[4], 4));
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", flat), "1x4:float32", "4:float32");
        Path longs = npy("longs.npy", Tensor.of(new long[4], 1, 4));
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", longs), "1x4:float32", "1x4:int64");
        assertRefused(
                clinfer("run", model, "--device", "cpu", "--input", "x=100000x100000x100000x100000x10000:zeros"),
                "too large");
        assertRefused(clinfer("check", model, "--device", "cpu", "--input", "x=1x5"), "1x5");
        assertRefused(clinfer("check", model, "--device", "cpu", "--input", "x=-1x5"), "-1x5");
    }

    @Test
    void aFolderAsInput() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        Path npy = Files.createDirectory(folder.resolve("folder.npy"));
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", npy), "folder.npy", "it is a folder");
    }

    private void assertInputRefused(String name, byte[] content, String reason) throws IOException {
        Path model = write(
                new OnnxModel().input("x", 1, 3, 8, 8).node("Relu", "x", "y").bytes());
        Path file = Files.write(folder.resolve(name), content);
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", file), name, reason);
    }

    @Test
    void arraysThatAreNone() throws IOException {
        assertInputRefused("a.npy", new byte[0], "ends early");
        assertInputRefused("a.npy", new byte[100], "NUMPY");
        assertInputRefused("a.npy", npyHeader("'descr': '|O', 'fortran_order': False, 'shape': (4,)"), "|O");
        assertInputRefused("a.npy", npyHeader("'descr': '<f4', 'fortran_order': False, 'shape': (-4,)"), "shape");
        assertInputRefused(
                "a.npy",
                npyHeader("'descr': '<f4', 'fortran_order': False, 'shape': (4000000000, 4000000000, 9)"),
                "overflows");
        assertInputRefused(
                "a.npy", npyHeader("'descr': '<f4', 'fortran_order': False, 'shape': (100000000000,)"), "bytes");
        byte[] header = npyHeader("'descr': '<f4', 'fortran_order': False, 'shape': (4,)");
        assertInputRefused("a.npy", Arrays.copyOf(header, header.length - 3), "ends early");
        assertInputRefused("a.npy", header, "bytes");
        assertInputRefused("a.npy", npyHeader("'shape': " + "(".repeat(2000)), "descr");
    }

    private static byte[] npyHeader(String entries) {
        byte[] text = ("{" + entries + "}\n").getBytes(StandardCharsets.US_ASCII);
        byte[] file = new byte[10 + text.length];
        System.arraycopy(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}, 0, file, 0, 8);
        file[8] = (byte) text.length;
        file[9] = (byte) (text.length >> 8);
        System.arraycopy(text, 0, file, 10, text.length);
        return file;
    }

    @Test
    void tensorFilesThatAreNone() throws IOException {
        assertInputRefused("a.pb", new byte[0], "empty");
        assertInputRefused("a.pb", new byte[] {8, 1, 8}, "a.pb");
        TensorProto claim =
                TensorProto.newBuilder().setDataType(1).addDims(1L << 40).build();
        assertInputRefused("a.pb", claim.toByteArray(), "it has 0");
        TensorProto other = TensorProto.newBuilder()
                .setDataType(1)
                .addDims(2)
                .addFloatData(1)
                .addFloatData(2)
                .build();
        Path model = write(oneByFour("Relu").bytes());
        Path file = Files.write(folder.resolve("b.pb"), other.toByteArray());
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", file), "1x4:float32", "2:float32");
    }

    @Test
    void picturesThatAreNone() throws IOException {
        assertInputRefused("a.png", "no picture".getBytes(StandardCharsets.UTF_8), "not a PNG");
        byte[] bomb = pngHeader(100_000, 100_000);
        assertInputRefused("a.png", bomb, "100000x100000");
        assertInputRefused("a.png", pngHeader(8, 8), "a.png");
        assertInputRefused("a.png", Arrays.copyOf(bomb, 20), "a.png");
        assertInputRefused("a.png", pngHeader(-5, 7), "a.png");
        assertInputRefused("a.jpg", new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0}, "a.jpg");
        assertInputRefused("a.gif", "GIF89a".getBytes(StandardCharsets.US_ASCII), "a.gif");
        assertInputRefused("a.bmp", new byte[] {'B', 'M', 0, 0, 0, 0}, "a.bmp");
        assertInputRefused("a.ppm", "P6 99999999 99999999 255 ".getBytes(StandardCharsets.US_ASCII), "pixels");
        assertInputRefused("a.pgm", "P5 4 4 255 ab".getBytes(StandardCharsets.US_ASCII), "ends early");
    }

    /** A PNG file of a header and nothing else. */
    private static byte[] pngHeader(int width, int height) {
        java.nio.ByteBuffer file = java.nio.ByteBuffer.allocate(33);
        file.put(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
        file.putInt(13).put("IHDR".getBytes(StandardCharsets.US_ASCII));
        file.putInt(width).putInt(height).put(new byte[] {8, 2, 0, 0, 0});
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(file.array(), 12, 17);
        file.putInt((int) crc.getValue());
        return file.array();
    }

    @Test
    void labels() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        Object[] run = {"run", model, "--device", "cpu", "--input", "x=random", "--labels"};
        assertRefused(clinfer(with(run, folder.resolve("none.txt"))), "none.txt: no such file");
        assertRefused(clinfer(with(run, folder)), folder.toString());
        Path shorter = Files.writeString(folder.resolve("l.txt"), "cat\ndog\n");
        assertRefused(clinfer(with(run, shorter)), "--labels: the file has 2 lines", "4 elements");
        Path binary = Files.write(folder.resolve("b.txt"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 'a'});
        assertRefused(clinfer(with(run, binary)), "b.txt");
    }

    private static Object[] with(Object[] args, Object last) {
        Object[] all = Arrays.copyOf(args, args.length + 1);
        all[args.length] = last;
        return all;
    }

    @Test
    void outputsThatCannotBeWritten() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        Path file = Files.writeString(folder.resolve("file"), "");
        Ran ran = clinfer("run", model, "--device", "cpu", "--input", "x=zeros", "-o", file);
        assertRefused(ran, "file");
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "x=zeros", "-o", "/proc/none/out"), "/proc");
        assertRefused(clinfer("check", model, "--device", "cpu", "-o", "/proc/none/report"), "/proc");
    }

    @Test
    void options() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        assertRefused(clinfer("run", model, "--frobnicate"), "--frobnicate");
        assertRefused(clinfer("run", model, "--binding", "foo"), "foo");
        assertRefused(clinfer("run", model, "--device", "-1"), "-1");
        assertRefused(clinfer("run", model, "--threads", "0"), "--threads");
        assertRefused(clinfer("run", model, "--threads", "99999999999"), "--threads");
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "x=zeros", "--top", "-3"), "--top");
        Ran noDevice = clinfer("run", model, "--device", "99", "--input", "x=zeros");
        assertThat(noDevice.code()).isEqualTo(3);
        assertThat(noDevice.err()).hasSize(1);
    }

    @Test
    void operatorsAndGraphsThatAreNotOurs() throws IOException {
        assertRefused(oneByFour("Frobnicate"), "node 0", "Frobnicate");
        OnnxModel body = new OnnxModel().input("i").node("Identity", "i", "o");
        assertRefused(
                new OnnxModel().input("x", 1, 4).longs("n", 3).node("Loop", "n,,x", "y", subgraph("body", body)),
                "Loop");
        assertRefused(
                new OnnxModel()
                        .input("x", 1, 4)
                        .node("If", "x", "y", subgraph("then_branch", body), subgraph("else_branch", body)),
                "If");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Add", "x,b", "a").node("Relu", "a", "b"), "cycle");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Add", "x,y", "y"), "cycle");
        assertRefused(
                new OnnxModel().input("x", 1, 4).node("Relu", "x", "y").node("Abs", "x", "y"), "'y' is produced twice");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Relu", "x", "x"), "'x'");
        assertRefused(new OnnxModel().input("x", 1, 4).input("x", 1, 4).node("Relu", "x", "y"), "'x'");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Add", "x,ghost", "y"), "'ghost'");
        assertRefused(new OnnxModel().input("x", 1, 4).node("Re\u001b[31mlu\nnext", "x", "y"), "Re?[31mlu?next");
    }

    @Test
    void sizesThatAreNone() throws IOException {
        assertRefused(new OnnxModel().input("x", 1L << 62, 3).node("Relu", "x", "y"), "x");
        assertRefused(
                new OnnxModel()
                        .input("x", 1, 4)
                        .initializer(TensorProto.newBuilder()
                                .setName("w")
                                .setDataType(1)
                                .addDims(1L << 40)
                                .addDims(1L << 40))
                        .node("Add", "x,w", "y"),
                "'w'",
                "too large");
        assertRefused(
                new OnnxModel()
                        .input("x", 1, 4)
                        .initializer(TensorProto.newBuilder()
                                .setName("w")
                                .setDataType(1)
                                .addDims(-4))
                        .node("Add", "x,w", "y"),
                "'w'",
                "-4");
        assertRefused(
                new OnnxModel()
                        .input("x", 1, 4)
                        .initializer(TensorProto.newBuilder()
                                .setName("w")
                                .setDataType(1)
                                .addDims(TEN_GIGABYTES_OF_FLOATS))
                        .node("Add", "x,w", "y"),
                "'w'",
                "2500000000");
    }

    private static OnnxModel bomb(String op, String inputs, OnnxModel model) {
        return model.node(op, inputs, "y");
    }

    @Test
    void tenGigabytes() throws IOException {
        String size = "2500000000";
        OnnxModel model = new OnnxModel().input("x", 1).longs("n", TEN_GIGABYTES_OF_FLOATS);
        assertRefused(bomb("ConstantOfShape", "n", model), size);
        model = new OnnxModel().input("x", 1).longs("n", TEN_GIGABYTES_OF_FLOATS);
        assertRefused(bomb("Expand", "x,n", model), size);
        model = new OnnxModel().input("x", 1).longs("n", TEN_GIGABYTES_OF_FLOATS);
        assertRefused(bomb("Tile", "x,n", model), size);
        model = new OnnxModel().input("x", 1).longs("n", 0, TEN_GIGABYTES_OF_FLOATS - 1);
        assertRefused(bomb("Pad", "x,n", model), size);
        model = new OnnxModel().input("x", 1).longs("n", TEN_GIGABYTES_OF_FLOATS);
        assertRefused(bomb("Resize", "x,,,n", model), size);
        model = new OnnxModel().input("x", 1).reals("n", Float.NaN);
        assertRefused(bomb("Resize", "x,,n", model), "NaN");
        model = new OnnxModel().input("x", 1).reals("n", Float.POSITIVE_INFINITY);
        assertRefused(bomb("Resize", "x,,n", model), "nfinity");
        model = new OnnxModel().input("x", 1).longs("n", 1L << 62, 1L << 62, 1L << 62);
        assertRefused(bomb("Expand", "x,n", model), "too large");
        model = new OnnxModel().input("x", 0).longs("n", 1L << 40, 0);
        assertRefused(bomb("Expand", "x,n", model), "too large");
    }

    @Test
    void growthByDegrees() throws IOException {
        OnnxModel doubled = new OnnxModel().input("x", 1, 1024);
        String last = "x";
        for (int i = 0; i < 60; i++) {
            doubled.node("Concat", last + "," + last, "c" + i, integer("axis", 0));
            last = "c" + i;
        }
        assertRefused(doubled, "bytes");
        OnnxModel gathers = new OnnxModel().input("x", 8).longs("i", 0, 1, 2, 3, 4, 5, 6, 7);
        last = "x";
        for (int i = 0; i < 30; i++) {
            gathers.node("Gather", last + ",i", "g" + i, integer("axis", -1))
                    .node("Unsqueeze", "g" + i + ",u", "u" + i)
                    .node("Tile", "u" + i + ",t" + i, "t_" + i);
            long[] repeats = new long[i + 2];
            Arrays.fill(repeats, 2);
            gathers.longs("t" + i, repeats);
            last = "t_" + i;
        }
        gathers.longs("u", 0);
        assertRefused(gathers, "bytes");
    }

    private Ran runWithin(long bytes, OnnxModel model) throws IOException {
        System.setProperty("clinfer.memory.limit", Long.toString(bytes));
        try {
            return run(model);
        } finally {
            System.clearProperty("clinfer.memory.limit");
        }
    }

    @Test
    void constantsThatGrowTogetherAreNotAllFolded() throws IOException {
        OnnxModel model = new OnnxModel().input("x", 1).reals("v", 1).longs("i", 0);
        String sum = "x";
        for (int i = 0; i < 40; i++) {
            model.longs("s" + i, 1_000_000 + i)
                    .node("Expand", "v,s" + i, "e" + i)
                    .node("Gather", "e" + i + ",i", "g" + i)
                    .node("Add", sum + ",g" + i, "a" + i);
            sum = "a" + i;
        }
        Ran ran = runWithin(50_000_000, model);
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertRefused(runWithin(3_000_000, model), "m.onnx: it needs ", "bytes of memory", "limit 3000000");
    }

    @Test
    void aLimitThatIsNone() throws IOException {
        System.setProperty("clinfer.memory.limit", "much");
        try {
            assertRefused(oneByFour("Relu"), "clinfer.memory.limit must be a number of bytes, but is 'much'");
        } finally {
            System.clearProperty("clinfer.memory.limit");
        }
    }

    @Test
    void hugeAttributes() throws IOException {
        Object[][] attributes = {
            {ints("strides", 1L << 62, 1), "strides"},
            {ints("dilations", 1, 1L << 62), "dilation"},
            {ints("pads", 1L << 40, 0, 0, 0), "padding"},
            {ints("pads", -1, 0, 0, 0), "padding"},
            {ints("kernel_shape", 1L << 40, 3), "kernel"},
            {integer("group", 1L << 40), "group"},
            {integer("group", 0), "group"},
            {text("auto_pad", "SOME"), "SOME"},
        };
        for (Object[] attribute : attributes) {
            OnnxModel model = new OnnxModel()
                    .input("x", 1, 2, 4, 4)
                    .weights("w", 3, 2, 3, 3)
                    .node("Conv", "x,w", "y", (org.clinfer.importer.onnx.proto.AttributeProto) attribute[0]);
            assertRefused(model, "n0", (String) attribute[1]);
        }
        OnnxModel pool = new OnnxModel()
                .input("x", 1, 1, 4, 4)
                .node("MaxPool", "x", "y", ints("kernel_shape", 1L << 40, 1L << 40));
        assertRefused(pool, "n0", "kernel_size");
        assertRefused(new OnnxModel().input("x", 2, 3).node("Transpose", "x", "y", ints("perm", 1, 1)), "n0", "perm");
        assertRefused(
                new OnnxModel().input("x", 2, 3).node("Flatten", "x", "y", integer("axis", 1L << 40)), "n0", "axis");
        assertRefused(
                new OnnxModel()
                        .input("x", 2, 3)
                        .longs("s", Long.MAX_VALUE, Long.MAX_VALUE, 4)
                        .node("Split", "x,s", "y,z,w", integer("axis", 0)),
                "n0");
        assertRefused(
                new OnnxModel().input("x", 1, 4, 2, 2).node("DepthToSpace", "x", "y", integer("blocksize", 1L << 40)),
                "n0",
                "scale");
    }

    private void assertIndexRefused(String device) throws IOException {
        Path model = write(new OnnxModel()
                .input("x", 3, 2)
                .typed("i", INT64, 2)
                .node("Gather", "x,i", "y", integer("axis", 0))
                .bytes());
        Path indices = npy("i.npy", Tensor.of(new long[] {0, 7}, 2));
        assertRefused(
                clinfer("run", model, "--device", device, "--input", "x=zeros", "--input", "i=" + indices),
                "m.onnx: node 0 'n0' (Gather)",
                "index 7 at position 1 is outside of -3 ... 2");
        Path constant = write(new OnnxModel()
                .input("x", 3, 2)
                .longs("i", 0, 7)
                .node("Gather", "x,i", "y", integer("axis", 0))
                .bytes());
        assertRefused(
                clinfer("run", constant, "--device", device, "--input", "x=zeros"), "'n0'", "an index is outside");
    }

    @Test
    void indicesOutOfRangeOnTheCpu() throws IOException {
        assertIndexRefused("cpu");
    }

    @Test
    @RequiresOpenCl
    void indicesOutOfRangeOnTheDevice() throws IOException {
        assertIndexRefused("opencl");
    }

    @Test
    void deepGraphsRun() throws IOException {
        int count = 100_000;
        OnnxModel deep = new OnnxModel().input("x", 1);
        for (int i = 0; i < count; i++) {
            deep.node(i % 2 == 0 ? "Identity" : "Relu", i == 0 ? "x" : "v" + (i - 1), "v" + i);
        }
        Ran ran = run(deep);
        assertThat(ran.code()).as(ran.toString()).isZero();
    }

    @Test
    void wideGraphsRun() throws IOException {
        int count = 100_000;
        OnnxModel wide = new OnnxModel().input("x", 1);
        for (int i = 0; i < count / 4; i++) {
            wide.node("Relu", "x", "v" + i);
        }
        wide.node(
                "Sum",
                java.util.stream.IntStream.range(0, count / 4)
                        .mapToObj(i -> "v" + i)
                        .collect(Collectors.joining(",")),
                "y");
        Ran ran = run(wide);
        assertThat(ran.code()).as(ran.toString()).isIn(0, 2);
        assertThat(ran.err()).as(ran.toString()).hasSize(ran.code() == 0 ? 0 : 1);
    }

    @Test
    void equalNamesOfManyNodes() throws IOException {
        OnnxModel model = new OnnxModel().input("x", 1);
        for (int i = 0; i < 50_000; i++) {
            model.node("Identity", i == 0 ? "x" : "v" + (i - 1), "v" + i);
        }
        model.graph().getNodeBuilderList().forEach(node -> node.setName("same"));
        assertThat(run(model).code()).isZero();
    }
}
