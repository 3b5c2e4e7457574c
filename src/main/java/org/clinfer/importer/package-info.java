/**
 * Model files into graphs: one {@link org.clinfer.importer.ModelImporter} for each format, chosen by
 * {@link org.clinfer.importer.Importers}. An importer translates; it folds no constants, and
 * infers shapes only where weights or axes of its format depend on them.
 */
@NullMarked
package org.clinfer.importer;

import org.jspecify.annotations.NullMarked;
