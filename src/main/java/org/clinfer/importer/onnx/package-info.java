/**
 * ONNX models of every operator set: the file and its tensors are read with bounds on all that a file may claim, then
 * each node is translated by the class of its operator family, as {@link org.clinfer.importer.onnx.OnnxTranslatorTable}
 * lists them. Whatever has no translation is refused by name.
 */
@NullMarked
package org.clinfer.importer.onnx;

import org.jspecify.annotations.NullMarked;
