package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One {@code clGet…Info} question, less the value and size that all of them end with. */
@FunctionalInterface
interface InfoQuery {

    int ask(@Nullable ByteBuffer value, long @Nullable [] size);

    /** The answer's bytes, or the status that stood in the way. */
    record Answer(int status, ByteBuffer value) {

        String text() {
            return StandardCharsets.UTF_8
                    .decode(value.duplicate())
                    .toString()
                    .replace("\0", "")
                    .strip();
        }

        /** A number of four or eight bytes, four-byte ones without sign. */
        long number() {
            return value.remaining() >= Long.BYTES ? value.getLong(0) : Integer.toUnsignedLong(value.getInt(0));
        }

        boolean isNumber() {
            return status == 0 && (value.remaining() == Integer.BYTES || value.remaining() == Long.BYTES);
        }
    }

    default Answer answer() {
        long[] size = new long[1];
        int status = ask(null, size);
        if (status != 0 || size[0] == 0) {
            return new Answer(status, ByteBuffer.allocate(0));
        }
        ByteBuffer value = ByteBuffer.allocateDirect(Math.toIntExact(size[0])).order(ByteOrder.nativeOrder());
        return new Answer(ask(value, size), value);
    }
}
