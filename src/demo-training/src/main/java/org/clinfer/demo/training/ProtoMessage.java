package org.clinfer.demo.training;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A Protocol Buffers message in the making: fields by number, in the wire format. */
final class ProtoMessage {

    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED_32 = 5;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    byte[] toByteArray() {
        return bytes.toByteArray();
    }

    ProtoMessage integer(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoMessage real(int field, float value) {
        tag(field, FIXED_32);
        bytes.writeBytes(ByteBuffer.allocate(Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(value)
                .array());
        return this;
    }

    ProtoMessage text(int field, String value) {
        return blob(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoMessage message(int field, ProtoMessage value) {
        return blob(field, value.toByteArray());
    }

    ProtoMessage blob(int field, byte[] value) {
        tag(field, LENGTH_DELIMITED);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    private void tag(int field, int wireType) {
        varint((long) field << 3 | wireType);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }
}
