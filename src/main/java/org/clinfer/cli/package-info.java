/**
 * The command line: reads options and files, calls the library, prints. One class per command; nothing here is needed
 * by a user of the library.
 */
@NullMarked
package org.clinfer.cli;

import org.jspecify.annotations.NullMarked;
