package org.clinfer.importer.tensorflow.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortedTableTest {

    private static byte[] value(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(@Nullable ByteBuffer value) {
        return StandardCharsets.US_ASCII
                .decode(Objects.requireNonNull(value).duplicate())
                .toString();
    }

    private static TableWriter writer(boolean compressed) {
        return new TableWriter(compressed)
                .put("", value("header"))
                .put("layer/bias", value("b"))
                .put("layer/weights", value("w".repeat(400)))
                .put("\u0000\u00fe", value(""));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void entriesOfPlainAndCompressedBlocks(boolean compressed) {
        Map<String, ByteBuffer> table =
                SortedTable.read(ByteBuffer.wrap(writer(compressed).bytes()));

        assertThat(table).containsOnlyKeys("", "layer/bias", "layer/weights", "\u0000\u00fe");
        assertThat(text(table.get("layer/weights"))).isEqualTo("w".repeat(400));
        assertThat(text(table.get("layer/bias"))).isEqualTo("b");
    }

    /** The block of entries is the first one. */
    @Test
    void everyChangedByteOfEntriesIsNoticed() {
        byte[] whole = writer(false).bytes();
        for (int at = 0; at < 400; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 4;
            assertThatThrownBy(() -> SortedTable.read(ByteBuffer.wrap(damaged)))
                    .as("byte " + at)
                    .isInstanceOf(DamagedTableException.class)
                    .hasMessage("the checksum of the block at 0 differs");
        }
    }

    @Test
    void shortFilesAndThoseOfOtherKinds() {
        assertThatThrownBy(() -> SortedTable.read(ByteBuffer.allocate(47)))
                .hasMessage("it does not end as a table does");
        assertThatThrownBy(() -> SortedTable.read(ByteBuffer.allocate(480)))
                .hasMessage("it does not end as a table does");
    }

    private static ByteBuffer compressed(long length, int... bytes) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        TableWriter.number(block, length);
        for (int each : bytes) {
            block.write(each);
        }
        return ByteBuffer.wrap(block.toByteArray());
    }

    /** Literals of 3, then copies with offsets of 1, 2 and 4 bytes, of which the first overlaps what it writes. */
    @Test
    void copiesOfEveryKind() {
        ByteBuffer block =
                compressed(16, 2 << 2, 'a', 'b', 'c', 1 | 1 << 2, 2, 2 | 3 << 2, 3, 0, 3 | 3 << 2, 11, 0, 0, 0);

        assertThat(text(Snappy.decompressed(block))).isEqualTo("abc" + "bcbcb" + "bcbb" + "bcbc");
    }

    @Test
    void damagedCompressionIsRefused() {
        assertThatThrownBy(() -> Snappy.decompressed(compressed(1L << 40, 0, 'a')))
                .hasMessageContaining("claims to have 1099511627776");
        assertThatThrownBy(() -> Snappy.decompressed(compressed(8, 0, 'a', 1, 2)))
                .hasMessageContaining("copies 4 bytes from 2 before byte 1");
        assertThatThrownBy(() -> Snappy.decompressed(compressed(8, 5 << 2, 'a')))
                .hasMessageContaining("a literal of 6 bytes");
        assertThatThrownBy(() -> Snappy.decompressed(compressed(8, 0, 'a')))
                .hasMessageContaining("1 bytes instead of 8");
        assertThatThrownBy(() -> Snappy.decompressed(compressed(8, 2, 1))).hasMessageContaining("cut off");
    }

    /** The bytes that TensorFlow's OrderedCode gives. */
    @Test
    void keysOfParts() {
        String key =
                SliceKey.of("w", new Slice(new long[] {0, 3, 64, 8192}, new long[] {Slice.ALL, 63, 8191, 1L << 40}));

        assertThat(key)
                .isEqualTo("\u0000" + "w\u0000\u0001" + "\u0001\u0004" + "\u0080\u007f" + "\u0083\u00bf"
                        + "\u00c0@" + "\u00df\u00ff" + "\u00e0 \u0000"
                        + "\u00fd\u0000\u0000\u0000\u0000\u0000");
    }
}
