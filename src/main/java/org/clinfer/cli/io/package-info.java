/** What every command shares: reading files within bounds, writing them whole or not at all, plain text tables. */
@NullMarked
package org.clinfer.cli.io;

import org.jspecify.annotations.NullMarked;
