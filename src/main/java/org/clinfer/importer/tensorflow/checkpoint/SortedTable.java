package org.clinfer.importer.tensorflow.checkpoint;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A table of keys and values in LevelDB's format: blocks of entries, one block that has the place of each, and a footer with
 * the place of that one. Source: google/leveldb, doc/table_format.md.
 */
final class SortedTable {

    private static final long MAGIC = 0xdb4775248b80fb57L;
    private static final int FOOTER_BYTES = 48;

    /** The kind of its compression and a checksum follow each block. */
    private static final int TRAILER_BYTES = 5;

    /** Bytes of keys and of decompressed blocks at most, which a small file may claim to be many. */
    private static final long MOST_BYTES = 256L << 20;

    private final ByteBuffer file;
    private final Map<String, ByteBuffer> entries = new HashMap<>();
    private long budget = MOST_BYTES;

    private SortedTable(ByteBuffer file) {
        this.file = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The values of a table by their keys, one character for each byte.
     *
     * @throws DamagedTableException if it is no table, or a checksum differs
     */
    static Map<String, ByteBuffer> read(ByteBuffer file) {
        SortedTable table = new SortedTable(file);
        table.read();
        return table.entries;
    }

    private void read() {
        int footer = file.capacity() - FOOTER_BYTES;
        if (footer < 0 || file.getLong(footer + FOOTER_BYTES - Long.BYTES) != MAGIC) {
            throw new DamagedTableException("it does not end as a table does");
        }
        ByteBuffer handles = file.slice(footer, FOOTER_BYTES - Long.BYTES);
        Varints.read(handles);
        Varints.read(handles);
        forEach(block(handles), (lastKey, place) -> forEach(block(place), this::add));
    }

    private void add(byte[] key, ByteBuffer value) {
        entries.put(text(key), value);
    }

    static String text(byte[] key) {
        return new String(key, StandardCharsets.ISO_8859_1);
    }

    /** The block whose offset and size a buffer has next. */
    private ByteBuffer block(ByteBuffer place) {
        long offset = Varints.read(place);
        long bytes = Varints.read(place);
        if (offset > file.capacity() || bytes > file.capacity() - TRAILER_BYTES - offset) {
            throw new DamagedTableException("a block of " + bytes + " bytes at " + offset + " is not in it");
        }
        ByteBuffer contents = file.slice((int) offset, (int) bytes);
        int end = (int) (offset + bytes);
        if (MaskedChecksum.of(file.slice((int) offset, (int) bytes + 1)) != file.getInt(end + 1)) {
            throw new DamagedTableException("the checksum of the block at " + offset + " differs");
        }
        return switch (file.get(end)) {
            case 0 -> contents;
            case 1 -> Snappy.decompressed(spent(contents));
            default -> throw new DamagedTableException("a block is compressed in the unknown way " + file.get(end));
        };
    }

    private ByteBuffer spent(ByteBuffer compressed) {
        spend(Varints.read(compressed.duplicate()));
        return compressed;
    }

    private void spend(long bytes) {
        budget -= bytes;
        if (bytes < 0 || budget < 0) {
            throw new DamagedTableException("it becomes more than " + MOST_BYTES + " bytes");
        }
    }

    /** Gives each entry of a block: how much of the key before begins its own, the rest of its key, its value. */
    private void forEach(ByteBuffer contents, BiConsumer<byte[], ByteBuffer> entry) {
        ByteBuffer block = contents.slice().order(ByteOrder.LITTLE_ENDIAN);
        int last = block.capacity() - Integer.BYTES;
        long restarts = last < 0 ? 0 : block.getInt(last) & 0xffffffffL;
        long end = last - restarts * Integer.BYTES;
        if (end < 0) {
            throw new DamagedTableException("a block of " + block.capacity() + " bytes has no entries");
        }
        block.limit((int) end);
        byte[] key = {};
        while (block.hasRemaining()) {
            long shared = Varints.read(block);
            long own = Varints.read(block);
            long bytes = Varints.read(block);
            if (shared > key.length || own > block.remaining() || bytes > block.remaining() - own) {
                throw new DamagedTableException("an entry is longer than its block");
            }
            spend(shared + own);
            key = Arrays.copyOf(key, (int) (shared + own));
            block.get(key, (int) shared, (int) own);
            entry.accept(key, block.slice(block.position(), (int) bytes));
            block.position(block.position() + (int) bytes);
        }
    }
}
