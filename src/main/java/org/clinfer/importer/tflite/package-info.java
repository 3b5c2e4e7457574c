/**
 * TensorFlow Lite's networks ({@code .tflite}): one flatbuffer with operators, tensors and their elements.
 *
 * <p>Tensors have the channels last. Operators that want them second give values that are held so
 * ({@link org.clinfer.importer.tflite.TfliteValue}); these are turned back where an operator or an output needs the file's
 * order. Quantized tensors are held as the file has them. Convolutions, products and sums of 8 bits are written as
 * Clinfer's quantized operators, operators that move elements move quantized ones, and every other operator computes with
 * what DequantizeLinear makes of its inputs and gives its result to QuantizeLinear.
 *
 * <p>The way through: a file → {@code FlatTable}s, whose offsets are all checked → {@code TfliteModel} with its
 * {@code TfliteNetwork}s of {@code TfliteTensor}s and {@code TfliteOperator}s → {@code TfliteTranslation}, with a
 * {@code LayerTranslator} for each operator, which asks its {@code TfliteOptions}, or {@code TfliteControl} for those that
 * run other networks of the file.
 */
@NullMarked
package org.clinfer.importer.tflite;

import org.jspecify.annotations.NullMarked;
