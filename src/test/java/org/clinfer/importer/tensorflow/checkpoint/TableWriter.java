package org.clinfer.importer.tensorflow.checkpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Writes tables in LevelDB's format, by its documentation alone: one block of entries, compressed or not. */
public final class TableWriter {

    private static final int FOOTER_HANDLES = 40;

    private final SortedMap<String, byte[]> entries = new TreeMap<>();
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final boolean compressed;

    public TableWriter(boolean compressed) {
        this.compressed = compressed;
    }

    /** Adds an entry, whose key has a character for each byte. */
    public TableWriter put(String key, byte[] value) {
        entries.put(key, value);
        return this;
    }

    public byte[] bytes() {
        byte[] data = block(entries);
        byte[] place = add(data);
        byte[] none = add(block(new TreeMap<>()));
        byte[] index = add(block(new TreeMap<>(Map.of("\u00ff", place))));
        ByteBuffer footer = ByteBuffer.allocate(FOOTER_HANDLES + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        footer.put(none).put(index).putLong(FOOTER_HANDLES, 0xdb4775248b80fb57L);
        file.writeBytes(footer.array());
        return file.toByteArray();
    }

    /** Adds a block with what follows it; its place. */
    private byte[] add(byte[] plain) {
        byte[] block = compressed ? literals(plain) : plain;
        ByteArrayOutputStream place = new ByteArrayOutputStream();
        number(place, file.size());
        number(place, block.length);
        file.writeBytes(block);
        file.write(compressed ? 1 : 0);
        CRC32C checksum = new CRC32C();
        checksum.update(block);
        checksum.update(compressed ? 1 : 0);
        file.writeBytes(little(masked((int) checksum.getValue())));
        return place.toByteArray();
    }

    static int masked(int checksum) {
        return ((checksum >>> 15) | (checksum << 17)) + 0xa282ead8;
    }

    /** The checksum of a tensor's bytes as its entry has it. */
    public static int checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return masked((int) checksum.getValue());
    }

    private static byte[] block(SortedMap<String, byte[]> entries) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        String before = "";
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            String key = entry.getKey();
            int shared = 0;
            while (shared < Math.min(key.length(), before.length()) && key.charAt(shared) == before.charAt(shared)) {
                shared++;
            }
            number(block, shared);
            number(block, key.length() - shared);
            number(block, entry.getValue().length);
            block.writeBytes(key.substring(shared).getBytes(StandardCharsets.ISO_8859_1));
            block.writeBytes(entry.getValue());
            before = key;
        }
        block.writeBytes(little(0));
        block.writeBytes(little(1));
        return block.toByteArray();
    }

    /** Snappy's format without any copies. */
    private static byte[] literals(byte[] plain) {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        number(to, plain.length);
        for (int at = 0; at < plain.length; at += 256) {
            int length = Math.min(256, plain.length - at);
            to.write(60 << 2);
            to.write(length - 1);
            to.write(plain, at, length);
        }
        return to.toByteArray();
    }

    static void number(ByteArrayOutputStream to, long value) {
        long rest = value;
        while (rest > 127) {
            to.write((int) ((rest & 127) | 128));
            rest >>>= 7;
        }
        to.write((int) rest);
    }

    private static byte[] little(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }
}
