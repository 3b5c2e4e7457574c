package org.clinfer.serve.grpc;

import java.nio.ByteBuffer;
import java.util.List;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.grpc.proto.ModelInferRequest;

/**
 * A request for inference as it was received.
 *
 * @param request the message without its {@code raw_input_contents}
 * @param contents these, each in direct memory of its own, which nobody writes to
 */
record InferMessage(ModelInferRequest request, List<ByteBuffer> contents) {

    /** Gives the memory of the contents away, which nobody looks at any more. */
    void giveBack(ContentMemory memory) {
        contents.forEach(memory::give);
    }
}
