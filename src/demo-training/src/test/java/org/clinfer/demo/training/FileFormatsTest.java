package org.clinfer.demo.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Bytes of the two file formats written by hand. */
class FileFormatsTest {

    @Test
    void messageFieldsFollowTheWireFormat() {
        ProtoMessage message = new ProtoMessage()
                .integer(1, 150)
                .text(2, "testing")
                .message(3, new ProtoMessage().integer(1, 0))
                .real(4, 1f)
                .integer(20, 1);
        assertThat(HexFormat.of().formatHex(message.toByteArray()))
                .isEqualTo("089601" + "120774657374696e67" + "1a020800" + "250000803f" + "a00101");
    }

    @Test
    void arrayFileHasAnAlignedHeaderAndLittleEndianValues() {
        byte[] file = NpyFile.bytes(new long[] {1, 3}, new float[] {1, -2, 0.5f});
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int start = 10 + bytes.getShort(8);
        assertThat(start % 64).isZero();
        assertThat(new String(file, 10, start - 10, StandardCharsets.US_ASCII))
                .startsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }")
                .endsWith("\n");
        assertThat(file).hasSize(start + 12);
        assertThat(bytes.getFloat(start + 4)).isEqualTo(-2f);
    }
}
