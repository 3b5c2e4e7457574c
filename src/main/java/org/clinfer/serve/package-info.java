/**
 * A server that speaks the Open Inference Protocol, version 2: models of a repository, over REST and gRPC. What both protocols
 * share is {@link org.clinfer.serve.InferenceService}.
 *
 * <p>Source of names and meanings: the protocol's specification (github.com/kserve/open-inference-protocol) and its extensions
 * for binary tensors, model repositories and statistics (github.com/triton-inference-server/server, docs/protocol).
 */
@NullMarked
package org.clinfer.serve;

import org.jspecify.annotations.NullMarked;
