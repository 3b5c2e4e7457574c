package org.clinfer.serve.rest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A request that cannot be right, made at random: for {@code scaled}, which takes {@code x[batch, 2]} in float32.
 *
 * @param path of inference
 * @param content each character a byte
 * @param headers names and values
 */
record MalformedRequest(String path, String content, List<String> headers) {

    private static final String PATH = "/v2/models/scaled/infer";

    static MalformedRequest of(Random random) {
        List<Supplier<MalformedRequest>> kinds = List.of(
                () -> json(cut(valid(random), random)),
                () -> json(bytes(random)),
                () -> json(input(random, "\"shape\": " + wrongShape(random), "\"datatype\": \"FP32\"", "[1, 2]")),
                () -> json(input(random, "\"shape\": [1, 2]", "\"datatype\": " + wrongType(random), "[1, 2]")),
                () -> json(input(random, "\"shape\": [1, 2]", "\"datatype\": \"FP32\"", wrongData(random))),
                () -> json(text("{\"inputs\": " + wrongValue(random) + "}")),
                () -> json(text("{\"outputs\": [{\"name\": \"" + word(random) + "q\"}], "
                        + valid(random).substring(1))),
                () -> json(text(valid(random).replace("\"x\"", "\"" + word(random) + "z\""))),
                () -> json(text(valid(random) + wrongValue(random))),
                () -> json(text("[".repeat(random.nextInt(5000) + 1))),
                () -> sized(random),
                () -> header(random),
                () -> request("/v2/models/" + word(random) + "a/infer", text(valid(random))),
                () -> request("/v2/models/scaled/versions/" + (2 + random.nextInt(99)) + "/infer", text(valid(random))),
                () -> request(PATH, bytes(random), "Content-Encoding", "gzip"));
        return kinds.get(random.nextInt(kinds.size())).get();
    }

    private static MalformedRequest json(byte[] content) {
        return request(PATH, content);
    }

    private static MalformedRequest request(String path, byte[] content, String... headers) {
        return new MalformedRequest(path, new String(content, StandardCharsets.ISO_8859_1), List.of(headers));
    }

    private static byte[] text(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /** A request that is right, with its fields in any order. */
    static String valid(Random random) {
        List<String> fields = new ArrayList<>(List.of(
                "\"name\": \"x\"",
                "\"shape\": [1, 2]",
                "\"datatype\": \"FP32\"",
                "\"data\": [1, " + random.nextInt() + "]"));
        Collections.shuffle(fields, random);
        return "{\"inputs\": [{" + String.join(", ", fields) + "}]}";
    }

    /** A request that is right, but for some of its bytes; it may be right by chance. */
    static byte[] changed(Random random) {
        byte[] content = text(valid(random));
        for (int i = random.nextInt(4); i >= 0; i--) {
            content[random.nextInt(content.length)] = (byte)
                    (random.nextBoolean()
                            ? random.nextInt(256)
                            : "0123456789[]{},:\"-+.eEnNtT".charAt(random.nextInt(26)));
        }
        return content;
    }

    private static byte[] cut(String json, Random random) {
        return text(json.substring(0, random.nextInt(json.length() - 1) + 1));
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(300) + 1];
        random.nextBytes(bytes);
        bytes[0] |= (byte) 0x80; // neither JSON nor gzip
        return bytes;
    }

    private static String word(Random random) {
        return Long.toString(random.nextLong() & Long.MAX_VALUE, Character.MAX_RADIX);
    }

    private static String one(Random random, String... of) {
        return of[random.nextInt(of.length)];
    }

    private static byte[] input(Random random, String shape, String type, String data) {
        List<String> fields = new ArrayList<>(List.of("\"name\": \"x\"", shape, type, "\"data\": " + data));
        Collections.shuffle(fields, random);
        return text("{\"inputs\": [{" + String.join(", ", fields) + "}]}");
    }

    private static String wrongShape(Random random) {
        return one(
                random,
                "[1, " + (3 + random.nextInt(1000)) + "]",
                "[-" + (1 + random.nextInt(1000)) + ", 2]",
                "[" + (1L << (31 + random.nextInt(31))) + ", 2]",
                "[9223372036854775807, 9223372036854775807]",
                "[99999999999999999999999, 2]",
                "[0, " + (1L << 62) + "]",
                "[1.0, 2]",
                "[\"1\", 2]",
                "[" + "1, ".repeat(random.nextInt(100)) + "1, 1, 2]",
                "[2]",
                wrongValue(random));
    }

    private static String wrongType(Random random) {
        return one(
                random,
                "\"BYTES\"",
                "\"fp32\"",
                "\"FP32 \"",
                "\"" + word(random) + "\"",
                "32",
                "null",
                "[]",
                "\"INT8\"");
    }

    private static String wrongData(Random random) {
        return one(
                random,
                "[]",
                "[" + "1, ".repeat(random.nextInt(1000) + 2) + "1]",
                "[[1], [2]]",
                "[[1, 2], [3, 4]]",
                "[[[1, 2]]]",
                "[1, " + wrongValue(random) + "]",
                "[1, 1e" + (39 + random.nextInt(1000)) + "]",
                "[1, " + "9".repeat(100 + random.nextInt(1000)) + "]",
                wrongValue(random));
    }

    /** A value that is no number, nor a list of numbers or objects. */
    private static String wrongValue(Random random) {
        return one(
                random,
                "\"" + word(random) + "\"",
                "{\"" + word(random) + "\": 1}",
                "true",
                "null",
                "[\"" + word(random) + "\"]",
                "[[[[[]]]]]");
    }

    /** Bytes that are not those of the shape. */
    private static MalformedRequest sized(Random random) {
        int follow = random.nextInt(40);
        long said = random.nextBoolean() && follow != 8 ? follow : random.nextLong();
        String json = "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"parameters\":"
                + " {\"binary_data_size\": " + (said == 8 ? 9 : said) + "}}]}";
        byte[] content = Arrays.copyOf(text(json), json.length() + follow);
        return request(PATH, content, BodyReader.JSON_LENGTH, "" + json.length());
    }

    /** A length of the JSON that is none. */
    private static MalformedRequest header(Random random) {
        byte[] content = text(valid(random));
        String length = one(
                random,
                "" + random.nextInt(content.length),
                "" + (content.length + 1 + random.nextInt(1000)),
                "-" + content.length,
                word(random) + "x",
                "99999999999999999999");
        return request(PATH, content, BodyReader.JSON_LENGTH, length);
    }

    @Override
    public String toString() {
        return path + " " + headers + " " + content;
    }
}
