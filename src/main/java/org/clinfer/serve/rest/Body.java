package org.clinfer.serve.rest;

import java.nio.ByteBuffer;

/**
 * The content of a request.
 *
 * @param json the JSON, in an array from its beginning
 * @param binary what follows the JSON, in direct memory that begins at a multiple of the alignment of tensors
 */
record Body(ByteBuffer json, ByteBuffer binary) {

    /** Bytes of the JSON. */
    int length() {
        return json.limit();
    }
}
