/** Operators that compute every output element from the input elements at its position, and epilogues of other operators. */
@NullMarked
package org.clinfer.cpu.elements;

import org.jspecify.annotations.NullMarked;
