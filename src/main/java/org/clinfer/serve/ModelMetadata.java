package org.clinfer.serve;

import java.util.List;

/**
 * Inputs and outputs of a model.
 *
 * @param name the model's name
 * @param versions versions that are loaded, the oldest first
 * @param platform format and program, such as {@code onnx_clinfer}
 * @param inputs its inputs, without constants
 * @param outputs its outputs
 */
public record ModelMetadata(
        String name,
        List<String> versions,
        String platform,
        List<TensorMetadata> inputs,
        List<TensorMetadata> outputs) {}
