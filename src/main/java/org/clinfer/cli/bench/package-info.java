/** Measures how long networks take, here and in another program: the inside of {@code clinfer bench}. */
@NullMarked
package org.clinfer.cli.bench;

import org.jspecify.annotations.NullMarked;
