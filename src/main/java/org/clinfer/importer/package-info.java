/**
 * Model files into graphs: one {@link org.clinfer.importer.ModelImporter} for each format, chosen by
 * {@link org.clinfer.importer.Importers}. An importer translates; it neither folds constants nor infers shapes.
 */
@NullMarked
package org.clinfer.importer;

import org.jspecify.annotations.NullMarked;
