package org.clinfer.serve.rest;

import java.nio.ByteBuffer;
import org.clinfer.serve.ContentShare;

/**
 * The content of a request.
 *
 * @param json the JSON, in an array from its beginning
 * @param binary what follows the JSON, in direct memory that begins at a multiple of the alignment of tensors
 * @param share the memory of the request, from which that of its tensors is taken
 */
record Body(ByteBuffer json, ByteBuffer binary, ContentShare share) {

    /** Bytes of the JSON. */
    int length() {
        return json.limit();
    }
}
