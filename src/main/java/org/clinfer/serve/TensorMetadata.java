package org.clinfer.serve;

import java.util.List;
import org.clinfer.tensor.DType;

/**
 * An input or output of a model.
 *
 * @param name its name
 * @param type the type of its elements
 * @param shape its dimensions; -1 where a request or the model's data decide
 */
public record TensorMetadata(String name, DType type, List<Long> shape) {}
