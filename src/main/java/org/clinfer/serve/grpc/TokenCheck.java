package org.clinfer.serve.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.health.v1.HealthGrpc;
import java.util.Set;
import org.clinfer.serve.AccessToken;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;

/**
 * Refuses calls without the token, before anything of their message is read. Health, and whether the server lives and is ready, are
 * told to everyone, as orchestrators need it and as REST does.
 */
final class TokenCheck implements ServerInterceptor {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private static final Set<String> STATES = Set.of(
            GRPCInferenceServiceGrpc.getServerLiveMethod().getFullMethodName(),
            GRPCInferenceServiceGrpc.getServerReadyMethod().getFullMethodName());

    private final AccessToken token;

    TokenCheck(AccessToken token) {
        this.token = token;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (isPublic(call.getMethodDescriptor()) || token.accepts(headers.get(AUTHORIZATION))) {
            return next.startCall(call, headers);
        }
        String sentence = headers.containsKey(AUTHORIZATION)
                ? "the token is not that of the server"
                : "the server asks for a token, as metadata 'authorization: Bearer TOKEN'";
        call.close(Statuses.of(ServiceError.UNAUTHENTICATED, sentence).getStatus(), new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static boolean isPublic(MethodDescriptor<?, ?> method) {
        return HealthGrpc.SERVICE_NAME.equals(method.getServiceName()) || STATES.contains(method.getFullMethodName());
    }
}
