package org.clinfer.importer.caffe;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.caffe.proto.BlobProto;

/** A binary file's messages as fields by name; weights are left out. Fields without a known name are called by their numbers. */
final class BinaryReader {

    /** The begin of the names of fields that only their number tells. */
    static final String NUMBERED = "field ";

    private BinaryReader() {}

    /** The message as a block. */
    static Block read(Message message) {
        Block block = new Block();
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            FieldDescriptor descriptor = field.getKey();
            if (descriptor.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && descriptor.getMessageType().equals(BlobProto.getDescriptor())) {
                continue;
            }
            List<?> values = descriptor.isRepeated() ? (List<?>) field.getValue() : List.of(field.getValue());
            values.forEach(value -> block.add(descriptor.getName(), item(value)));
        }
        message.getUnknownFields().asMap().keySet().forEach(number -> block.add(NUMBERED + number, "in a binary file"));
        return block;
    }

    private static Item item(Object value) {
        if (value instanceof Message message) {
            return read(message);
        } else if (value instanceof EnumValueDescriptor name) {
            return new Item.Word(name.getName());
        }
        return new Item.Word(String.valueOf(value));
    }
}
