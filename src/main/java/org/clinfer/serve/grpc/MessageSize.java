package org.clinfer.serve.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;

/**
 * The number of fields of a message, each of which is an object or more once it is parsed, although it may have only two
 * bytes before. Counting them takes no memory.
 */
final class MessageSize {

    /** Fields of a message at most, those of messages in it included; a packed array is one. */
    static final int MOST_FIELDS = 100_000;

    private final CodedInputStream input;
    private int fields;

    private MessageSize(CodedInputStream input) {
        this.input = input;
    }

    /**
     * Counts the fields.
     *
     * @param input the whole message, which is read to its end
     * @param type its type
     * @throws ServiceException if they are too many
     * @throws IOException if the message is malformed
     */
    static void check(CodedInputStream input, Descriptor type) throws IOException {
        new MessageSize(input).count(type);
    }

    private void count(Descriptor type) throws IOException {
        while (!input.isAtEnd()) {
            int tag = input.readTag();
            if (++fields > MOST_FIELDS) {
                throw new ServiceException(
                        ServiceError.TOO_LARGE, "the message has more than " + MOST_FIELDS + " fields");
            }
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            int wire = WireFormat.getTagWireType(tag);
            if (wire == WireFormat.WIRETYPE_START_GROUP || wire == WireFormat.WIRETYPE_END_GROUP) {
                throw new ServiceException(ServiceError.INVALID, "the message has a group, which its format has not");
            }
            if (wire == WireFormat.WIRETYPE_LENGTH_DELIMITED
                    && field != null
                    && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                int outer = input.pushLimit(input.readRawVarint32());
                count(field.getMessageType());
                input.popLimit(outer);
            } else {
                input.skipField(tag);
            }
        }
    }
}
