/**
 * OpenVINO's intermediate representation: a definition ({@code .xml}) of versions 10 and 11 and the constants ({@code .bin})
 * beside it, at offsets that the definition names.
 *
 * <p>The definition says the type of every value. Its sizes are taken for the results of operators, so that what the elements
 * of constants would tell is known without them as far as the sizes tell it.
 *
 * <p>The way through: a file → {@code OpenVinoLayer}s ({@code IrReader}) → {@code OpenVinoTranslation}, in the order of the edges, with a
 * {@code LayerTranslator} for each type of layer. The versions of a type differ in inputs and attributes, which tell them
 * apart; where they do not, the translator asks for the version.
 */
@NullMarked
package org.clinfer.importer.openvino;

import org.jspecify.annotations.NullMarked;
