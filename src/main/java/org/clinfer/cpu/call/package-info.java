/**
 * The call of an operator on the CPU: its tensors and resolved parameters, the threads and the memory that it works
 * with, and what it keeps from one run to the next.
 */
@NullMarked
package org.clinfer.cpu.call;

import org.jspecify.annotations.NullMarked;
