package org.clinfer.importer.tflite;

import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/**
 * A table of a flatbuffer. Flatbuffers have no verifier in Java: every offset is checked here when it is followed, and what
 * leads out of the file is a {@link GraphException}.
 */
final class FlatTable extends Table {

    private static final int FIRST_FIELD_BYTES = 4;

    private final Origin origin;

    /** The file that tables are of. */
    private static final class Origin {

        private final SourceRef source;

        /** Elements that vectors may still have: tables may share a vector, so that a small file could say a lot. */
        private long budget;

        Origin(SourceRef source, long budget) {
            this.source = source;
            this.budget = budget;
        }

        GraphException damaged(String what) {
            return new GraphException(source, "not a valid TensorFlow Lite model: " + what);
        }

        void take(long elements) {
            budget -= elements;
            if (budget < 0) {
                throw damaged("its vectors have more elements than the file has bytes");
            }
        }

        <T> T inside(Supplier<T> reading) {
            try {
                return reading.get();
            } catch (IndexOutOfBoundsException outside) {
                throw damaged("it is truncated or damaged");
            }
        }
    }

    private FlatTable(int position, ByteBuffer bytes, Origin origin) {
        this.origin = origin;
        __reset(position, bytes);
    }

    /** The root of a flatbuffer. */
    static FlatTable root(ByteBuffer file, SourceRef source) {
        ByteBuffer bytes = file.slice().order(ByteOrder.LITTLE_ENDIAN);
        Origin origin = new Origin(source, bytes.limit());
        return origin.inside(() -> new FlatTable(bytes.getInt(0), bytes, origin));
    }

    /** The position of a field in the file; 0 where it is left out and has its default. */
    private int position(int field) {
        int offset = __offset(FIRST_FIELD_BYTES + 2 * field);
        return offset == 0 ? 0 : bb_pos + offset;
    }

    boolean has(int field) {
        return origin.inside(() -> position(field)) != 0;
    }

    /** The number of fields that the table may have: those behind it are left out. */
    int fields() {
        return origin.inside(() -> {
            int start = bb_pos - bb.getInt(bb_pos);
            return Math.max(0, (bb.getShort(start) & 0xffff) / 2 - 2);
        });
    }

    /** A whole number of a width in bytes, 1, 2, 4 or 8. */
    long integer(int field, int bytes, long otherwise) {
        return origin.inside(() -> {
            int at = position(field);
            return at == 0 ? otherwise : integerAt(at, bytes);
        });
    }

    private long integerAt(int at, int bytes) {
        return switch (bytes) {
            case 1 -> bb.get(at);
            case 2 -> bb.getShort(at);
            case 4 -> bb.getInt(at);
            default -> bb.getLong(at);
        };
    }

    /** A whole number of 4 bytes. */
    int integer(int field, int otherwise) {
        return (int) integer(field, Integer.BYTES, otherwise);
    }

    /** A whole number of 1 byte. */
    int small(int field) {
        return (int) integer(field, 1, 0);
    }

    float real(int field, float otherwise) {
        return origin.inside(() -> {
            int at = position(field);
            return at == 0 ? otherwise : bb.getFloat(at);
        });
    }

    /** The table that a field refers to. */
    Optional<FlatTable> table(int field) {
        return origin.inside(() -> {
            int at = position(field);
            return at == 0 ? Optional.empty() : Optional.of(new FlatTable(at + bb.getInt(at), bb, origin));
        });
    }

    /** A vector: where its elements begin, and how many there are. */
    private record Elements(int start, int count) {}

    private Elements elements(int field, int bytesEach) {
        int at = position(field);
        if (at == 0) {
            return new Elements(0, 0);
        }
        int vector = at + bb.getInt(at);
        int count = bb.getInt(vector);
        if (count < 0 || (long) count * bytesEach > bb.limit() - (vector + 4L)) {
            throw origin.damaged("a vector of " + count + " elements does not fit into it");
        }
        return new Elements(vector + Integer.BYTES, count);
    }

    private Elements counted(int field, int bytesEach) {
        Elements elements = elements(field, bytesEach);
        origin.take(elements.count());
        return elements;
    }

    /** The tables of a vector; none where it is left out. */
    List<FlatTable> tables(int field) {
        return origin.inside(() -> {
            Elements elements = counted(field, Integer.BYTES);
            List<FlatTable> tables = new ArrayList<>();
            for (int i = 0; i < elements.count(); i++) {
                int at = elements.start() + Integer.BYTES * i;
                tables.add(new FlatTable(at + bb.getInt(at), bb, origin));
            }
            return tables;
        });
    }

    /** Whole numbers of a width in bytes, 1, 2, 4 or 8; empty where they are left out. */
    long[] integers(int field, int bytes) {
        return origin.inside(() -> {
            Elements elements = counted(field, bytes);
            long[] values = new long[elements.count()];
            for (int i = 0; i < values.length; i++) {
                values[i] = integerAt(elements.start() + bytes * i, bytes);
            }
            return values;
        });
    }

    /** Whole numbers of 4 bytes; empty where they are left out. */
    int[] integers(int field) {
        long[] values = integers(field, Integer.BYTES);
        int[] narrow = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            narrow[i] = (int) values[i];
        }
        return narrow;
    }

    /** Real numbers; empty where they are left out. */
    float[] reals(int field) {
        return origin.inside(() -> {
            Elements elements = counted(field, Float.BYTES);
            float[] values = new float[elements.count()];
            for (int i = 0; i < values.length; i++) {
                values[i] = bb.getFloat(elements.start() + Float.BYTES * i);
            }
            return values;
        });
    }

    /** Text; empty where it is left out. */
    Optional<String> text(int field) {
        if (!has(field)) {
            return Optional.empty();
        }
        origin.inside(() -> {
            origin.take(elements(field, 1).count());
            return true;
        });
        return bytes(field).map(bytes -> StandardCharsets.UTF_8.decode(bytes).toString());
    }

    /** Bytes as a view of the file; empty where they are left out. */
    Optional<ByteBuffer> bytes(int field) {
        return origin.inside(() -> {
            if (position(field) == 0) {
                return Optional.empty();
            }
            Elements elements = elements(field, 1);
            return Optional.of(bb.slice(elements.start(), elements.count()).order(ByteOrder.LITTLE_ENDIAN));
        });
    }
}
