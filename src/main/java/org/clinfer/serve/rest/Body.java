package org.clinfer.serve.rest;

import java.nio.ByteBuffer;

/**
 * The content of a request.
 *
 * @param json the JSON, of which the first bytes count
 * @param length how many of these
 * @param binary what follows the JSON, in direct memory that begins at a multiple of the alignment of tensors
 */
record Body(byte[] json, int length, ByteBuffer binary) {}
