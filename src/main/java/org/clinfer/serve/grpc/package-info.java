/**
 * The gRPC service of the Open Inference Protocol, {@code inference.GRPCInferenceService}, with the extensions for model
 * repositories, statistics and streams, and beside it gRPC's own services for health ({@code grpc.health.v1.Health}) and
 * reflection. {@link org.clinfer.serve.grpc.GrpcServer} starts it.
 *
 * <p>The way of a tensor: Netty's buffers are copied once, into direct memory of each tensor's own, which is
 * then the input's. An output is copied into its message.
 *
 * <p>Source of names and numbers: {@code src/main/protobuf/inference.proto}.
 */
@NullMarked
package org.clinfer.serve.grpc;

import org.jspecify.annotations.NullMarked;
