package org.clinfer.fuzz;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.image.Picture;
import org.clinfer.image.Preprocessing;
import org.clinfer.importer.onnx.TensorProtoFile;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Inputs of models: pictures and tensors, which are read and made what a model takes. */
final class TensorTargets {

    private static final TensorType IMAGE = TensorType.of(DType.FLOAT32, 1, 3, 8, 8);
    private static final int SIDE = 6;

    private TensorTargets() {}

    static List<Target> all() {
        return List.of(
                new Target(
                        "picture",
                        folder -> pictures(),
                        List.of(
                                "IHDR",
                                "IDAT",
                                "PLTE",
                                "tRNS",
                                "GIF89a",
                                "BM",
                                "II*",
                                "MM",
                                "Exif",
                                "Adobe",
                                "RIFF",
                                "WEBPVP8L"),
                        (bytes, folder) -> picture(Files.write(folder.resolve("x.png"), bytes))),
                new Target(
                        "pnm",
                        folder -> pnm(),
                        List.of("P2 ", "P3 ", "P5 ", "P6 ", "65535", "255", "#", "99999999"),
                        (bytes, folder) -> picture(Files.write(folder.resolve("x.ppm"), bytes))),
                new Target(
                        "npy",
                        TensorTargets::arrays,
                        List.of(
                                "'descr': ",
                                "'<f4'",
                                "'>i8'",
                                "'|b1'",
                                "'fortran_order': True",
                                "'shape': (",
                                "9223372036854775807",
                                "(),"),
                        (bytes, folder) -> array(Files.write(folder.resolve("x.npy"), bytes))),
                new Target(
                        "tensor",
                        TensorTargets::tensors,
                        List.of("location", "offset", "length", "x.bin"),
                        (bytes, folder) -> tensor(bytes, folder)));
    }

    private static void picture(Path file) throws Exception {
        Judge.refusesOrDoes(
                () -> Preprocessing.defaults().tensor(Picture.of(file), IMAGE).close());
    }

    private static void array(Path file) throws Exception {
        Judge.refusesOrDoes(() -> NpyFile.read(file).close());
    }

    private static void tensor(byte[] bytes, Path folder) throws Exception {
        List<byte[]> parts = Parts.of(bytes, 2);
        Files.write(folder.resolve("x.bin"), parts.size() > 1 ? parts.get(1) : new byte[0]);
        Path file = Files.write(folder.resolve("x.pb"), parts.get(0));
        Judge.refusesOrDoes(() -> TensorProtoFile.read(file).close());
    }

    private static List<byte[]> pictures() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (int kind :
                new int[] {BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_BYTE_INDEXED}) {
            BufferedImage image = new BufferedImage(SIDE, SIDE, kind);
            for (int i = 0; i < SIDE; i++) {
                image.setRGB(i, i, 0xff8040);
            }
            for (String format : List.of("png", "jpg", "bmp", "gif", "tiff")) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                if (ImageIO.write(image, format, out)) {
                    seeds.add(out.toByteArray());
                }
            }
        }
        return seeds;
    }

    private static List<byte[]> pnm() {
        return List.of(
                "P2 2 2 255\n0 1\n2 255\n".getBytes(StandardCharsets.US_ASCII),
                "P3\n# text\n1 2\n15\n0 1 2 3 4 15\n".getBytes(StandardCharsets.US_ASCII),
                "P5 2 2 255\nabcd".getBytes(StandardCharsets.US_ASCII),
                "P6 1 1 65535\nabcdef".getBytes(StandardCharsets.US_ASCII));
    }

    private static List<byte[]> arrays(Path folder) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (DType dtype : List.of(DType.FLOAT32, DType.INT64, DType.BOOL, DType.UINT8, DType.FLOAT16)) {
            NpyFile.write(folder.resolve("seed.npy"), Tensor.allocate(dtype, 2, 3));
            seeds.add(Files.readAllBytes(folder.resolve("seed.npy")));
        }
        String fortran = "{'descr': '>f8', 'fortran_order': True, 'shape': (2, 1), }";
        seeds.add(("\u0093NUMPY\u0001\u0000" + (char) fortran.length() + "\u0000" + fortran + "0123456789abcdef")
                .getBytes(StandardCharsets.ISO_8859_1));
        return seeds;
    }

    private static List<byte[]> tensors(Path folder) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (DType dtype : List.of(DType.FLOAT32, DType.INT64, DType.BOOL, DType.FLOAT16, DType.INT4)) {
            TensorProtoFile.write(folder.resolve("seed.pb"), "x", Tensor.allocate(dtype, 2, 3));
            seeds.add(Files.readAllBytes(folder.resolve("seed.pb")));
        }
        return seeds;
    }
}
