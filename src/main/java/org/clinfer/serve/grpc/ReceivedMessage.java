package org.clinfer.serve.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.grpc.proto.ModelInferRequest;
import org.clinfer.tensor.Tensor;

/**
 * A message in two parts: raw contents of tensors, each in direct memory that begins at a multiple of {@link
 * Tensor#ALIGNMENT}, so that it is a tensor's memory as it is, and all other fields as they came. Netty's buffers are copied
 * once by this; a parser of protobuf copies them to Java's heap, and again into each field.
 *
 * @param fields the message without raw contents
 * @param contents the raw contents in their order, which nobody writes to any more
 */
record ReceivedMessage(ByteString fields, List<ByteBuffer> contents) {

    /** Raw contents of a message at most: each has memory of its own. */
    static final int MOST_CONTENTS = 4096;

    private static final int RAW_CONTENTS = ModelInferRequest.RAW_INPUT_CONTENTS_FIELD_NUMBER << 3 | 2;
    private static final int VARINT_BYTES = 10;
    private static final int PIECE = 8192;

    /**
     * Reads a message without raw contents.
     *
     * @throws IOException if the stream fails
     */
    static ReceivedMessage read(InputStream stream) throws IOException {
        return new ReceivedMessage(UnsafeByteOperations.unsafeWrap(stream.readAllBytes()), List.of());
    }

    /**
     * Reads a request for inference, as far as its outermost fields go.
     *
     * @param memory where raw contents come to lie
     * @throws ServiceException if there are more than {@link #MOST_CONTENTS} raw contents
     * @throws IOException if the message is malformed, or the stream fails
     */
    static ReceivedMessage readInference(InputStream stream, ContentMemory memory) throws IOException {
        boolean isSized = stream instanceof KnownLength;
        return new Reader(isSized ? stream : new ByteArrayInputStream(stream.readAllBytes()), memory).read();
    }

    private static final class Reader {

        private final InputStream stream;
        private final ContentMemory memory;
        private final ByteArrayOutputStream fields = new ByteArrayOutputStream();
        private final List<ByteBuffer> contents = new ArrayList<>();

        /** @param stream tells how much it has */
        Reader(InputStream stream, ContentMemory memory) {
            this.stream = stream;
            this.memory = memory;
        }

        ReceivedMessage read() throws IOException {
            while (stream.available() > 0) {
                long tag = varint();
                if (tag == RAW_CONTENTS) {
                    if (contents.size() == MOST_CONTENTS) {
                        throw new ServiceException(
                                ServiceError.TOO_LARGE, "the request has more than " + MOST_CONTENTS + " raw contents");
                    }
                    contents.add(content(length(varint())));
                } else {
                    write(tag);
                    copyField((int) tag & 7);
                }
            }
            return new ReceivedMessage(UnsafeByteOperations.unsafeWrap(fields.toByteArray()), contents);
        }

        private void copyField(int wire) throws IOException {
            switch (wire) {
                case 0 -> write(varint());
                case 1 -> copy(Long.BYTES);
                case 2 -> {
                    int length = length(varint());
                    write(length);
                    copy(length);
                }
                case 5 -> copy(Integer.BYTES);
                default -> throw new IOException("a field is of no type");
            }
        }

        private void copy(int length) throws IOException {
            fields.writeBytes(stream.readNBytes(length(length)));
        }

        private int length(long claimed) throws IOException {
            if (claimed < 0 || claimed > stream.available()) {
                throw new IOException("a field is longer than the message");
            }
            return (int) claimed;
        }

        private long varint() throws IOException {
            long value = 0;
            for (int at = 0; at < VARINT_BYTES; at++) {
                int next = stream.read();
                if (next < 0) {
                    throw new IOException("the message ends in a number");
                }
                value |= (next & 0x7FL) << (7 * at);
                if (next < 0x80) {
                    return value;
                }
            }
            throw new IOException("a number has more than 64 bits");
        }

        private void write(long varint) {
            long rest = varint;
            while ((rest & ~0x7FL) != 0) {
                fields.write((int) ((rest & 0x7F) | 0x80));
                rest >>>= 7;
            }
            fields.write((int) rest);
        }

        private ByteBuffer content(int bytes) throws IOException {
            ByteBuffer content = memory.take(ContentMemory.capacity(bytes)).limit(bytes);
            byte[] piece = null;
            while (content.hasRemaining()) {
                ByteBuffer next = stream instanceof HasByteBuffer buffers && buffers.byteBufferSupported()
                        ? buffers.getByteBuffer()
                        : null;
                if (next != null) {
                    int count = Math.min(next.remaining(), content.remaining());
                    content.put(next.slice().limit(count));
                    stream.skipNBytes(count);
                } else {
                    piece = piece == null ? new byte[PIECE] : piece;
                    int count = stream.readNBytes(piece, 0, Math.min(PIECE, content.remaining()));
                    content.put(piece, 0, count);
                    if (count == 0) {
                        throw new IOException("the message ends in raw contents");
                    }
                }
            }
            return content.flip();
        }
    }
}
