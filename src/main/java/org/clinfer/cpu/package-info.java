/**
 * Every operator on the CPU, in plain Java: where a node runs that no device takes, and what the kernels are held
 * against. Implementations work on tensors and resolved parameters alone; they know nothing of graphs or devices.
 */
@NullMarked
package org.clinfer.cpu;

import org.jspecify.annotations.NullMarked;
