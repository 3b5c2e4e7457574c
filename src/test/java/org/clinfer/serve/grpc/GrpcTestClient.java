package org.clinfer.serve.grpc;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;
import org.clinfer.serve.grpc.proto.ModelInferRequest;
import org.clinfer.serve.grpc.proto.ModelInferRequest.InferInputTensor;

/** A server at a free port, and a channel to it. */
final class GrpcTestClient implements AutoCloseable {

    static final int LARGEST = 1 << 20;

    final GrpcServer server;
    final ManagedChannel channel;
    final GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub stub;

    GrpcTestClient(InferenceService service, GrpcOptions options) {
        this(GrpcServer.start(service, options));
    }

    GrpcTestClient(GrpcServer server) {
        this.server = server;
        channel = NettyChannelBuilder.forAddress("localhost", server.port())
                .usePlaintext()
                .build();
        stub = GRPCInferenceServiceGrpc.newBlockingStub(channel);
    }

    GrpcTestClient(InferenceService service) {
        this(service, options());
    }

    static ListenOptions listen() {
        return new ListenOptions("localhost", 0, LARGEST, Optional.empty(), Optional.empty());
    }

    static GrpcOptions options() {
        return GrpcOptions.of(listen());
    }

    static GrpcOptions options(int maxCalls, Duration receiving) {
        return new GrpcOptions(listen(), maxCalls, receiving, Duration.ofSeconds(5));
    }

    /** The status with which a call fails. */
    static Status status(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call).getStatus();
    }

    static InferInputTensor.Builder input(String name, String datatype, long... shape) {
        InferInputTensor.Builder input =
                InferInputTensor.newBuilder().setName(name).setDatatype(datatype);
        for (long size : shape) {
            input.addShape(size);
        }
        return input;
    }

    /** A request with one input of float32 as raw contents. */
    static ModelInferRequest raw(String model, float... values) {
        return ModelInferRequest.newBuilder()
                .setModelName(model)
                .setId("7")
                .addInputs(input("x", "FP32", 1, values.length))
                .addRawInputContents(bytes(values))
                .build();
    }

    static ByteString bytes(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return ByteString.copyFrom(bytes);
    }

    static float[] floats(ByteString bytes) {
        float[] values = new float[bytes.size() / Float.BYTES];
        bytes.asReadOnlyByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(values);
        return values;
    }

    /** A method whose messages are bytes, sound or not. */
    static MethodDescriptor<byte[], byte[]> bytesOf(MethodDescriptor<?, ?> method) {
        return method.toBuilder(BYTES, BYTES).build();
    }

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    @Override
    public void close() {
        channel.shutdownNow();
        server.close(Duration.ofSeconds(5));
        try {
            channel.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
