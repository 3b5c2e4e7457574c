/**
 * Drawing of directed graphs from top to bottom, after Sugiyama, Tagawa and Toda: layers, few crossings, coordinates.
 * The same graph is always drawn the same way.
 */
@NullMarked
package org.clinfer.report.layout;

import org.jspecify.annotations.NullMarked;
