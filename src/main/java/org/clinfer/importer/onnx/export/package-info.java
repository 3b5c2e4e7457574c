/**
 * Graphs as ONNX files: each node is written by the class of its operator family, as
 * {@link org.clinfer.importer.onnx.export.WriterTable} lists them, as the ONNX operator that is the same or as a few
 * that are exactly the same together. Whatever ONNX cannot say is refused by name.
 */
@NullMarked
package org.clinfer.importer.onnx.export;

import org.jspecify.annotations.NullMarked;
