/** The capability report as records: the verdict on each node of a network with its reasons, sums, and costs. */
@NullMarked
package org.clinfer.check;

import org.jspecify.annotations.NullMarked;
