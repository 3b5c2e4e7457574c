/**
 * The knowledge of a device as plain facts (names, versions, extensions, limits), whoever supplies them: a live OpenCL
 * device, a profile file or a test. Placement decides on these, so it needs no device.
 */
@NullMarked
package org.clinfer.device;

import org.jspecify.annotations.NullMarked;
