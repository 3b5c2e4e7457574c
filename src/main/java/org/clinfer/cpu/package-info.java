/**
 * Every operator on the CPU, in plain Java and in vectors: where a node runs that no device takes, and what the kernels
 * are held against. Implementations work on tensors and resolved parameters alone; they know nothing of graphs or devices.
 *
 * <p>The registry is here, the operators in a package for each subject. {@code call}, {@code memory}, {@code window} and
 * {@code vector} are what they all stand on; products of matrices ({@code matrix}) and element-wise functions
 * ({@code elements}) are part of other operators, too.
 */
@NullMarked
package org.clinfer.cpu;

import org.jspecify.annotations.NullMarked;
