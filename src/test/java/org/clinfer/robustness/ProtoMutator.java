package org.clinfer.robustness;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Damages parsed protobuf messages of any type: one to three facts are changed, left out or said twice. */
final class ProtoMutator {

    private static final long[] NUMBERS = {
        0,
        1,
        2,
        3,
        4,
        7,
        17,
        1000,
        -1,
        -2,
        -7,
        1L << 20,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 40,
        1L << 62,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };
    private static final double[] REALS = {
        0, -0.0, 1, -1, 0.5, 3, 1e-30, 1e30, -1e9, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };

    private final Random random;
    private final List<String> texts;

    /** @param texts strings that mean something in the kind of message */
    ProtoMutator(long seed, List<String> texts) {
        this(new Random(seed), texts);
    }

    ProtoMutator(Random random, List<String> texts) {
        this.random = random;
        this.texts = List.copyOf(texts);
    }

    Message change(Message message) {
        Message.Builder changed = message.toBuilder();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            change(changed);
        }
        return changed.build();
    }

    private void change(Message.Builder message) {
        List<FieldDescriptor> fields = new ArrayList<>(message.getAllFields().keySet());
        if (fields.isEmpty()) {
            return;
        }
        FieldDescriptor field = fields.get(random.nextInt(fields.size()));
        if (field.isRepeated()) {
            changeOne(message, field);
        } else if (random.nextInt(12) == 0) {
            message.clearField(field);
        } else {
            message.setField(field, changed(field, message.getField(field)));
        }
    }

    private void changeOne(Message.Builder message, FieldDescriptor field) {
        List<Object> values = new ArrayList<>((List<?>) message.getField(field));
        int at = random.nextInt(values.size());
        switch (random.nextInt(12)) {
            case 0 -> values.remove(at);
            case 1 -> values.add(random.nextInt(values.size() + 1), values.get(at));
            default -> values.set(at, changed(field, values.get(at)));
        }
        message.clearField(field);
        values.forEach(value -> message.addRepeatedField(field, value));
    }

    private Object changed(FieldDescriptor field, Object value) {
        return switch (field.getJavaType()) {
            case INT -> (int) number();
            case LONG -> number();
            case FLOAT -> (float) REALS[random.nextInt(REALS.length)];
            case DOUBLE -> REALS[random.nextInt(REALS.length)];
            case BOOLEAN -> random.nextBoolean();
            case STRING -> texts.get(random.nextInt(texts.size()));
            case BYTE_STRING -> bytes((ByteString) value);
            case ENUM -> {
                List<EnumValueDescriptor> all = field.getEnumType().getValues();
                yield all.get(random.nextInt(all.size()));
            }
            case MESSAGE -> {
                Message.Builder inner = ((Message) value).toBuilder();
                change(inner);
                yield inner.build();
            }
        };
    }

    private long number() {
        return NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private ByteString bytes(ByteString value) {
        if (random.nextInt(3) == 0 || value.isEmpty()) {
            return ByteString.copyFromUtf8(texts.get(random.nextInt(texts.size())));
        }
        return value.substring(0, random.nextInt(value.size()));
    }
}
