/**
 * The capability report in every form: text, JSON, an HTML page, SARIF, JUnit's XML and Markdown. Everything here is
 * pure: reports in, one document out. Names from a model are made harmless for the form they go into.
 */
@NullMarked
package org.clinfer.report;

import org.jspecify.annotations.NullMarked;
