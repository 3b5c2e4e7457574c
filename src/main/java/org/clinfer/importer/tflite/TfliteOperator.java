package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.SourceRef;

/**
 * One operator of the file.
 *
 * @param type the name of a builtin operator, as {@code CONV_2D}, or of a custom one
 * @param name the name of its first output, by which reports know it
 * @param inputs numbers of tensors; -1 for one that is left out
 * @param outputs numbers of tensors
 * @param options the fields that its table of options has
 * @param custom the options of a custom operator
 */
record TfliteOperator(
        String type,
        String name,
        SourceRef source,
        List<Integer> inputs,
        List<Integer> outputs,
        TfliteOptions options,
        Optional<ByteBuffer> custom) {}
