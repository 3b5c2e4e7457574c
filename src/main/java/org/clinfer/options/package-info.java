/** The types that options of an engine name: the binding through which OpenCL is called, and the folder of what is kept. */
@NullMarked
package org.clinfer.options;

import org.jspecify.annotations.NullMarked;
