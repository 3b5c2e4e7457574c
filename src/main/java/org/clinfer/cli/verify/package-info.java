/** Finds recorded test cases in folders, runs them and compares: the inside of {@code clinfer verify}. */
@NullMarked
package org.clinfer.cli.verify;

import org.jspecify.annotations.NullMarked;
