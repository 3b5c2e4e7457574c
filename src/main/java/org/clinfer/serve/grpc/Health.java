package org.clinfer.serve.grpc;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthImplBase;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicBoolean;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;

/**
 * gRPC's health service: the server as a whole (an empty name) and the inference service serve while the device works, all
 * models are ready and nothing drains. A check looks at the moment of the call; watchers hear of a change at the next
 * {@link #update}.
 */
final class Health extends HealthImplBase {

    private final InferenceService service;
    private final HealthStatusManager manager = new HealthStatusManager();
    private final HealthImplBase statuses = (HealthImplBase) manager.getHealthService();
    private final AtomicBoolean drains = new AtomicBoolean();

    Health(InferenceService service) {
        this.service = service;
    }

    @Override
    public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> client) {
        update();
        statuses.check(request, client);
    }

    @Override
    public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> client) {
        update();
        statuses.watch(request, client);
    }

    /** Tells watchers what has changed. */
    void update() {
        ServingStatus status = service.live() && service.ready() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        manager.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
        manager.setStatus(GRPCInferenceServiceGrpc.SERVICE_NAME, status);
    }

    /** Nothing serves from here on. */
    void drain() {
        if (drains.compareAndSet(false, true)) {
            manager.enterTerminalState();
        }
    }
}
