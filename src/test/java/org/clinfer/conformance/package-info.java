/**
 * Every operator against its definition: a reference written as plainly as possible, element by element in double
 * precision, and the cases of {@code test-data/cases}, run on the CPU and with every kernel variant in every data type.
 * References use nothing of what they test.
 */
@NullMarked
package org.clinfer.conformance;

import org.jspecify.annotations.NullMarked;
