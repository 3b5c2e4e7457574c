/** Input and output that every command shares: reading files within bounds and writing them whole or not at all. */
@NullMarked
package org.clinfer.cli.io;

import org.jspecify.annotations.NullMarked;
