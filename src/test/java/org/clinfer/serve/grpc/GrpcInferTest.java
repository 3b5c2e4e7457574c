package org.clinfer.serve.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.serve.grpc.GrpcTestClient.bytes;
import static org.clinfer.serve.grpc.GrpcTestClient.floats;
import static org.clinfer.serve.grpc.GrpcTestClient.input;
import static org.clinfer.serve.grpc.GrpcTestClient.raw;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.clinfer.serve.InferenceRequest;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.grpc.proto.InferParameter;
import org.clinfer.serve.grpc.proto.InferTensorContents;
import org.clinfer.serve.grpc.proto.ModelInferRequest;
import org.clinfer.serve.grpc.proto.ModelInferRequest.InferRequestedOutputTensor;
import org.clinfer.serve.grpc.proto.ModelInferResponse;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests for inference: what the service is given of a message, what it says against malformed ones, and what comes back. */
@Timeout(60)
class GrpcInferTest {

    private final FakeService service = new FakeService();

    @AutoClose
    private final GrpcTestClient client = new GrpcTestClient(service);

    @Test
    void rawContentsComeAndGo() {
        ModelInferResponse response = client.stub.modelInfer(raw("m", 1.5f, -2));
        assertThat(response.getModelName()).isEqualTo("m");
        assertThat(response.getModelVersion()).isEqualTo("1");
        assertThat(response.getId()).isEqualTo("7");
        assertThat(response.getOutputsList())
                .containsExactly(ModelInferResponse.InferOutputTensor.newBuilder()
                        .setName("x")
                        .setDatatype("FP32")
                        .addShape(1)
                        .addShape(2)
                        .build());
        assertThat(response.getRawOutputContentsList()).hasSize(1);
        assertThat(floats(response.getRawOutputContents(0))).containsExactly(1.5f, -2);
    }

    @Test
    void theServiceHasWhatTheMessageSays() throws InterruptedException {
        client.stub.modelInfer(raw("m", 1).toBuilder()
                .setModelVersion("3")
                .addOutputs(InferRequestedOutputTensor.newBuilder().setName("a"))
                .addOutputs(InferRequestedOutputTensor.newBuilder().setName("b"))
                .build());
        InferenceRequest request = service.requests.take();
        assertThat(request.model()).isEqualTo("m");
        assertThat(request.version()).contains("3");
        assertThat(request.id()).contains("7");
        assertThat(request.outputs()).containsExactly("a", "b");
        assertThat(request.timeout()).isEmpty();
    }

    @Test
    void anAbsentVersionAndIdAreAbsent() throws InterruptedException {
        client.stub.modelInfer(raw("m", 1).toBuilder().clearId().build());
        InferenceRequest request = service.requests.take();
        assertThat(request.version()).isEmpty();
        assertThat(request.id()).isEmpty();
        assertThat(request.outputs()).isEmpty();
    }

    private static Tensor given(InferenceRequest request, String name) {
        return Objects.requireNonNull(request.inputs().get(name));
    }

    private static boolean isAligned(Tensor tensor) {
        ByteBuffer memory = tensor.bytes();
        return memory.alignmentOffset(0, Tensor.ALIGNMENT) == 0;
    }

    @Test
    void contentsAreOfAnySizeAndBesideAnyName() {
        CompletableFuture<Boolean> aligned = new CompletableFuture<>();
        service.answer = request -> {
            aligned.complete(isAligned(given(request, "x")));
            return CompletableFuture.completedFuture(FakeService.echo(request));
        };
        float[] values = new float[5000];
        values[4999] = 3;
        for (String id : new String[] {"", "1", "12", "a long name"}) {
            ModelInferResponse response = client.stub.modelInfer(
                    raw("m", values).toBuilder().setId(id).build());
            assertThat(floats(response.getRawOutputContents(0))).containsExactly(values);
        }
        assertThat(aligned).isCompletedWithValue(true);
    }

    @Test
    void everyTensorIsAligned() {
        CompletableFuture<float[]> second = new CompletableFuture<>();
        service.answer = request -> {
            Tensor y = given(request, "y");
            second.complete(isAligned(y) ? y.toFloatArray() : new float[0]);
            return CompletableFuture.completedFuture(FakeService.echo(request));
        };
        client.stub.modelInfer(ModelInferRequest.newBuilder()
                .setModelName("m")
                .addInputs(input("x", "INT8", 3))
                .addInputs(input("y", "FP32", 2))
                .addRawInputContents(ByteString.copyFrom(new byte[] {1, 2, 3}))
                .addRawInputContents(bytes(4, 5))
                .build());
        assertThat(second.join()).containsExactly(4, 5);
    }

    static Stream<Arguments> typed() {
        return Stream.of(
                Arguments.of(
                        DType.BOOL,
                        "BOOL",
                        InferTensorContents.newBuilder().addBoolContents(true).addBoolContents(false),
                        new double[] {1, 0}),
                Arguments.of(
                        DType.INT8,
                        "INT8",
                        InferTensorContents.newBuilder().addIntContents(-128).addIntContents(127),
                        new double[] {-128, 127}),
                Arguments.of(
                        DType.INT16,
                        "INT16",
                        InferTensorContents.newBuilder().addIntContents(-32768).addIntContents(2),
                        new double[] {-32768, 2}),
                Arguments.of(
                        DType.INT32,
                        "INT32",
                        InferTensorContents.newBuilder().addIntContents(-7).addIntContents(1 << 30),
                        new double[] {-7, 1 << 30}),
                Arguments.of(
                        DType.INT64,
                        "INT64",
                        InferTensorContents.newBuilder().addInt64Contents(-7).addInt64Contents(1L << 40),
                        new double[] {-7, 1L << 40}),
                Arguments.of(
                        DType.UINT8,
                        "UINT8",
                        InferTensorContents.newBuilder().addUintContents(255).addUintContents(0),
                        new double[] {255, 0}),
                Arguments.of(
                        DType.UINT16,
                        "UINT16",
                        InferTensorContents.newBuilder().addUintContents(65535).addUintContents(0),
                        new double[] {65535, 0}),
                Arguments.of(
                        DType.UINT32,
                        "UINT32",
                        InferTensorContents.newBuilder().addUintContents(-1).addUintContents(1),
                        new double[] {4294967295.0, 1}),
                Arguments.of(
                        DType.UINT64,
                        "UINT64",
                        InferTensorContents.newBuilder().addUint64Contents(5).addUint64Contents(6),
                        new double[] {5, 6}),
                Arguments.of(
                        DType.FLOAT32,
                        "FP32",
                        InferTensorContents.newBuilder().addFp32Contents(0.5f).addFp32Contents(-2),
                        new double[] {0.5, -2}),
                Arguments.of(
                        DType.FLOAT64,
                        "FP64",
                        InferTensorContents.newBuilder().addFp64Contents(0.1).addFp64Contents(-2),
                        new double[] {0.1, -2}));
    }

    @ParameterizedTest
    @MethodSource("typed")
    void contentsAreElementsOfTheType(
            DType type, String name, InferTensorContents.Builder contents, double[] elements) {
        CompletableFuture<double[]> seen = new CompletableFuture<>();
        service.answer = request -> {
            Tensor tensor = given(request, "x");
            assertThat(tensor.type()).isEqualTo(TensorType.of(type, 2, 1));
            seen.complete(tensor.toDoubleArray());
            return CompletableFuture.completedFuture(FakeService.echo(request));
        };
        ModelInferResponse response = client.stub.modelInfer(ModelInferRequest.newBuilder()
                .addInputs(input("x", name, 2, 1).setContents(contents))
                .build());
        assertThat(seen.join()).containsExactly(elements);
        assertThat(response.getOutputs(0).getDatatype()).isEqualTo(name);
    }

    @Test
    void floatsOf16BitsAreRaw() {
        for (String name : new String[] {"FP16", "BF16"}) {
            ModelInferResponse response = client.stub.modelInfer(ModelInferRequest.newBuilder()
                    .addInputs(input("x", name, 1))
                    .addRawInputContents(ByteString.copyFrom(new byte[] {0, 0x3c}))
                    .build());
            assertThat(response.getOutputs(0).getDatatype()).isEqualTo(name);
            assertThat(response.getRawOutputContents(0).toByteArray()).containsExactly(0, 0x3c);
        }
    }

    static Stream<Arguments> malformed() {
        ModelInferRequest raw = raw("m", 1, 2);
        ByteString eight = raw.getRawInputContents(0);
        InferParameter parameter = InferParameter.getDefaultInstance();
        InferTensorContents two = InferTensorContents.newBuilder()
                .addFp32Contents(1)
                .addFp32Contents(2)
                .build();
        return Stream.of(
                Arguments.of(
                        raw.toBuilder().clearRawInputContents().addRawInputContents(eight.substring(1)),
                        "input 'x' has 7 bytes of raw contents, but FP32 of shape 1x2 has 8"),
                Arguments.of(
                        raw.toBuilder().addRawInputContents(eight),
                        "raw_input_contents has 2 entries, but there are 1 inputs"),
                Arguments.of(
                        raw.toBuilder().addInputs(raw.getInputs(0)).addRawInputContents(eight),
                        "input 'x' is there twice"),
                Arguments.of(
                        raw.toBuilder().setInputs(0, input("x", "FP31", 1, 2)),
                        "input 'x': the datatype 'FP31' is none that is served, which are BF16, BOOL, FP16, FP32, FP64,"
                                + " INT16, INT32, INT64, INT8, UINT16, UINT32, UINT64, UINT8"),
                Arguments.of(
                        raw.toBuilder().setInputs(0, input("x", "BYTES", 1, 2)),
                        "input 'x': the datatype 'BYTES' is none that is served, which are BF16, BOOL, FP16, FP32, FP64,"
                                + " INT16, INT32, INT64, INT8, UINT16, UINT32, UINT64, UINT8"),
                Arguments.of(
                        raw.toBuilder().setInputs(0, input("x\n", "FP32", 1, -2)),
                        "input 'x\\u000a' has a dimension of -2"),
                Arguments.of(
                        raw.toBuilder().setInputs(0, input("x", "FP32", 1L << 40, 1L << 40)),
                        "input 'x' has the shape 1099511627776x1099511627776, which is too large"),
                Arguments.of(
                        raw.toBuilder().setInputs(0, input("x", "FP32", new long[33])),
                        "input 'x' has 33 dimensions, more than 32"),
                Arguments.of(
                        raw.toBuilder().setInputs(0, input("x", "FP32", 1, 2).setContents(two)),
                        "input 'x' has contents beside raw_input_contents"),
                Arguments.of(
                        ModelInferRequest.newBuilder()
                                .addInputs(input("x", "FP32", 3).setContents(two)),
                        "input 'x' has 2 elements, but its shape 3 has 3"),
                Arguments.of(
                        ModelInferRequest.newBuilder()
                                .addInputs(input("x", "FP64", 2).setContents(two)),
                        "input 'x' has contents in another field than that of its datatype FP64"),
                Arguments.of(
                        ModelInferRequest.newBuilder()
                                .addInputs(input("x", "FP16", 2).setContents(two)),
                        "input 'x' of FP16 can only be sent in raw_input_contents"),
                Arguments.of(
                        ModelInferRequest.newBuilder()
                                .addInputs(input("x", "INT8", 1)
                                        .setContents(
                                                InferTensorContents.newBuilder().addIntContents(128))),
                        "input 'x' of INT8 cannot have the element 128"),
                Arguments.of(
                        ModelInferRequest.newBuilder()
                                .addInputs(input("x", "UINT16", 1)
                                        .setContents(
                                                InferTensorContents.newBuilder().addUintContents(-1))),
                        "input 'x' of UINT16 cannot have the element 4294967295"),
                Arguments.of(
                        raw.toBuilder().putParameters("sequence_id", parameter),
                        "the request has the parameter 'sequence_id', but the server has no sequences"),
                Arguments.of(
                        raw.toBuilder()
                                .setInputs(
                                        0, input("x", "FP32", 1, 2).putParameters("shared_memory_region", parameter)),
                        "input 'x' has the parameter 'shared_memory_region', but the server has no shared memory"),
                Arguments.of(
                        raw.toBuilder()
                                .addOutputs(InferRequestedOutputTensor.newBuilder()
                                        .setName("y")
                                        .putParameters("classification", parameter)),
                        "output 'y' has the parameter 'classification', but the server has no classification of outputs"),
                Arguments.of(
                        raw.toBuilder()
                                .addOutputs(
                                        InferRequestedOutputTensor.newBuilder().setName("y"))
                                .addOutputs(
                                        InferRequestedOutputTensor.newBuilder().setName("y")),
                        "output 'y' is asked for twice"),
                Arguments.of(
                        raw.toBuilder().putParameters("timeout", parameter),
                        "the parameter 'timeout' must be a number of microseconds"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void whatIsWrongHasItsSentence(ModelInferRequest.Builder request, String sentence) {
        Status status = GrpcTestClient.status(() -> client.stub.modelInfer(request.build()));
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).isEqualTo(sentence);
        assertThat(service.requests).isEmpty();
    }

    @Test
    void theParameterOfTritonIsATimeout() throws InterruptedException {
        InferParameter time =
                InferParameter.newBuilder().setInt64Param(2_000_000).build();
        client.stub.modelInfer(
                raw("m", 1).toBuilder().putParameters("timeout", time).build());
        assertThat(service.requests.take().timeout()).contains(Duration.ofSeconds(2));
    }

    @Test
    void anOutputOfATypeThatTheProtocolDoesNotHaveIsRefused() {
        Tensor four = Tensor.allocate(DType.INT4, 2);
        service.answer = request ->
                CompletableFuture.completedFuture(new InferenceResponse("m", "1", Optional.empty(), Map.of("y", four)));
        Status status = GrpcTestClient.status(() -> client.stub.modelInfer(raw("m", 1)));
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).isEqualTo("output 'y' is of int4, which the protocol does not have");
    }
}
