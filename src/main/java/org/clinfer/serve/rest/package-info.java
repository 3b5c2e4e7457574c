/**
 * The Open Inference Protocol over HTTP: paths, JSON, the binary tensor extension, metrics and a page for people. Jetty does the
 * connections.
 */
@NullMarked
package org.clinfer.serve.rest;

import org.jspecify.annotations.NullMarked;
