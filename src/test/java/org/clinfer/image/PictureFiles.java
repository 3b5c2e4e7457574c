package org.clinfer.image;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Picture files that tests write themselves, byte by byte where Java has no writer. */
final class PictureFiles {

    private PictureFiles() {}

    static byte[] encoded(BufferedImage image, String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (!ImageIO.write(image, format, out)) {
            throw new IOException("no writer for " + format);
        }
        return out.toByteArray();
    }

    /** Four quarters: black, 90, 170 and 250 in gray, clockwise from the upper left. */
    static BufferedImage quarters(int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                boolean right = x >= width / 2;
                boolean low = y >= height / 2;
                image.getRaster().setSample(x, y, 0, low ? right ? 170 : 250 : right ? 90 : 0);
            }
        }
        return image;
    }

    /** A TIFF header, one directory and one entry: the orientation. */
    static byte[] exif(int orientation) {
        return ByteBuffer.allocate(26)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("II*\0".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(8)
                .putShort((short) 1)
                .putShort((short) 0x112)
                .putShort((short) 3)
                .putInt(1)
                .putShort((short) orientation)
                .putShort((short) 0)
                .putInt(0)
                .array();
    }

    /** A JPEG file with a segment behind its first marker. */
    static byte[] withSegment(byte[] jpeg, int marker, byte[] content) {
        return ByteBuffer.allocate(jpeg.length + 4 + content.length)
                .put(jpeg, 0, 2)
                .put((byte) 0xff)
                .put((byte) marker)
                .putShort((short) (content.length + 2))
                .put(content)
                .put(jpeg, 2, jpeg.length - 2)
                .array();
    }

    static byte[] withOrientation(byte[] jpeg, int orientation) {
        byte[] exif = exif(orientation);
        byte[] content = Arrays.copyOf("Exif\0\0".getBytes(StandardCharsets.ISO_8859_1), 6 + exif.length);
        System.arraycopy(exif, 0, content, 6, exif.length);
        return withSegment(jpeg, 0xE1, content);
    }

    /**
     * A JPEG of one colour in four components, as Photoshop writes it.
     *
     * @param transform 0: the components are cyan, magenta, yellow and black; 2: the first three are YCbCr of their opposites
     * @param components of every pixel, inverted: 255 is no ink
     */
    static byte[] fourColours(int transform, int... components) throws IOException {
        WritableRaster raster = Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, 16, 16, 4, null);
        for (int y = 0; y < 16; y++) {
            for (int x = 0; x < 16; x++) {
                raster.setPixel(x, y, components);
            }
        }
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            writer.setOutput(stream);
            ImageWriteParam parameters = writer.getDefaultWriteParam();
            parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            parameters.setCompressionQuality(1);
            writer.write(null, new IIOImage(raster, null, null), parameters);
        } finally {
            writer.dispose();
        }
        byte[] adobe = "Adobe\0\144\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
        adobe[adobe.length - 1] = (byte) transform;
        return withSegment(out.toByteArray(), 0xEE, adobe);
    }

    /** A PNG header that announces a size, and nothing behind it. */
    static byte[] pngHeader(int width, int height) {
        byte[] header = ByteBuffer.allocate(17)
                .put("IHDR".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(width)
                .putInt(height)
                .put(new byte[] {8, 2, 0, 0, 0})
                .array();
        CRC32 sum = new CRC32();
        sum.update(header);
        return ByteBuffer.allocate(8 + 4 + 17 + 4)
                .put(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10})
                .putInt(13)
                .put(header)
                .putInt((int) sum.getValue())
                .array();
    }

    /**
     * A lossless WebP of one colour: every code has one symbol, which takes no bits, so that no data follow. Source: WebP
     * Lossless Bitstream Specification.
     */
    static byte[] webp(int width, int height, int red, int green, int blue) {
        Bits bits = new Bits();
        bits.put(0x2f, 8);
        bits.put(width - 1, 14);
        bits.put(height - 1, 14);
        bits.put(0, 1); // no opacity
        bits.put(0, 3); // version
        bits.put(0, 1); // no transform
        bits.put(0, 1); // no cache of colours
        bits.put(0, 1); // one group of codes for the whole picture
        for (int symbol : new int[] {green, red, blue, 255, 0}) {
            bits.put(1, 1); // a simple code
            bits.put(0, 1); // of one symbol
            boolean small = symbol < 2;
            bits.put(small ? 0 : 1, 1);
            bits.put(symbol, small ? 1 : 8);
        }
        byte[] data = bits.bytes();
        int padded = data.length + data.length % 2;
        return ByteBuffer.allocate(20 + padded)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("RIFF".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(12 + padded)
                .put("WEBPVP8L".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(data.length)
                .put(data)
                .array();
    }

    /** Bits, the low ones of each byte first. */
    private static final class Bits {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int pending;
        private int count;

        void put(int value, int bits) {
            for (int i = 0; i < bits; i++) {
                pending |= (value >> i & 1) << count++;
                if (count == 8) {
                    out.write(pending);
                    pending = 0;
                    count = 0;
                }
            }
        }

        byte[] bytes() {
            if (count > 0) {
                put(0, 8 - count);
            }
            return out.toByteArray();
        }
    }
}
