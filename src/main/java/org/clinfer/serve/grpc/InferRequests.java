package org.clinfer.serve.grpc;

import io.grpc.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.clinfer.serve.Datatype;
import org.clinfer.serve.InferenceRequest;
import org.clinfer.serve.RefusedParameters;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.grpc.proto.InferParameter;
import org.clinfer.serve.grpc.proto.ModelInferRequest;
import org.clinfer.serve.grpc.proto.ModelInferRequest.InferInputTensor;
import org.clinfer.serve.grpc.proto.ModelInferRequest.InferRequestedOutputTensor;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Requests for inference from their messages. Raw contents lie in direct memory of their own ({@link
 * ReceivedMessage}) and are tensors as they are.
 */
final class InferRequests {

    /** Dimensions of a tensor at most. */
    static final int LARGEST_RANK = 32;

    private static final String TIMEOUT = "timeout";

    private final ModelInferRequest message;
    private final List<ByteBuffer> contents;
    private final Map<String, Tensor> inputs = new LinkedHashMap<>();

    private InferRequests(InferMessage received) {
        this.message = received.request();
        this.contents = received.contents();
    }

    /**
     * The request of a message.
     *
     * @param deadline of the call, where the client has set one
     * @throws ServiceException with one sentence for the client; nothing is left open then
     */
    static InferenceRequest of(InferMessage message, @Nullable Deadline deadline) {
        InferRequests reading = new InferRequests(message);
        try {
            return reading.request(deadline);
        } catch (ServiceException refused) {
            reading.inputs.values().forEach(Tensor::close);
            throw refused;
        }
    }

    /** Bytes, in memory, of the elements that a message has as such, and of tensors of them. */
    static long typedBytes(InferMessage message) {
        return message.request().getInputsList().stream()
                .mapToLong(input -> 2 * TypedContents.bytes(input.getContents()))
                .sum();
    }

    private InferenceRequest request(@Nullable Deadline deadline) {
        checkParameters("the request", message.getParametersMap());
        Optional<Duration> timeout = timeout(deadline);
        Set<String> outputs = outputs();
        int count = message.getInputsCount();
        if (!contents.isEmpty() && contents.size() != count) {
            throw invalid("raw_input_contents has " + contents.size() + " entries, but there are " + count + " inputs");
        }
        for (int index = 0; index < count; index++) {
            InferInputTensor input = message.getInputs(index);
            if (inputs.containsKey(input.getName())) {
                throw invalid(label(input) + " is there twice");
            }
            inputs.put(input.getName(), tensor(input, index));
        }
        return new InferenceRequest(
                message.getModelName(),
                present(message.getModelVersion()),
                present(message.getId()),
                inputs,
                outputs,
                timeout);
    }

    private Set<String> outputs() {
        Set<String> outputs = new LinkedHashSet<>();
        for (InferRequestedOutputTensor output : message.getOutputsList()) {
            String label = "output '" + Printable.shortened(output.getName()) + "'";
            checkParameters(label, output.getParametersMap());
            if (!outputs.add(output.getName())) {
                throw invalid(label + " is asked for twice");
            }
        }
        return outputs;
    }

    private Tensor tensor(InferInputTensor input, int index) {
        String label = label(input);
        checkParameters(label, input.getParametersMap());
        DType dtype = Datatype.parse(input.getDatatype())
                .orElseThrow(() -> invalid(label + ": " + Datatype.unknown(input.getDatatype())));
        TensorType type = new TensorType(dtype, shape(label, input.getShapeList()));
        if (!type.fits()) {
            throw invalid(label + " has the shape " + type.shape() + ", which is too large");
        }
        if (contents.isEmpty()) {
            return TypedContents.tensor(label, type, input.getContents());
        }
        if (input.hasContents()) {
            throw invalid(label + " has contents beside raw_input_contents");
        }
        return tensor(label, type, contents.get(index));
    }

    private static Tensor tensor(String label, TensorType type, ByteBuffer contents) {
        if (contents.remaining() != type.bytes()) {
            throw invalid(label + " has " + contents.remaining() + " bytes of raw contents, but "
                    + Datatype.name(type.dtype()) + " of shape " + type.shape() + " has " + type.bytes());
        }
        return Tensor.wrap(type, contents);
    }

    private static Shape shape(String label, List<Long> sizes) {
        if (sizes.size() > LARGEST_RANK) {
            throw invalid(label + " has " + sizes.size() + " dimensions, more than " + LARGEST_RANK);
        }
        for (long size : sizes) {
            if (size < 0) {
                throw invalid(label + " has a dimension of " + size);
            }
        }
        return Shape.of(sizes);
    }

    /** The shorter of the call's time and that of the parameter {@code timeout}, which is in microseconds. */
    private Optional<Duration> timeout(@Nullable Deadline deadline) {
        Optional<Duration> left = Optional.ofNullable(deadline)
                .map(end -> Duration.ofNanos(Math.max(0, end.timeRemaining(TimeUnit.NANOSECONDS))));
        if (!message.containsParameters(TIMEOUT)) {
            return left;
        }
        InferParameter parameter = message.getParametersOrThrow(TIMEOUT);
        long micros = parameter.hasUint64Param() ? parameter.getUint64Param() : parameter.getInt64Param();
        if (micros < 0 || !(parameter.hasInt64Param() || parameter.hasUint64Param())) {
            throw invalid("the parameter 'timeout' must be a number of microseconds");
        }
        Duration asked = Duration.ofNanos(micros > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : micros * 1000);
        boolean none = micros == 0;
        return none || (left.isPresent() && left.get().compareTo(asked) < 0) ? left : Optional.of(asked);
    }

    private static void checkParameters(String label, Map<String, InferParameter> parameters) {
        for (String name : parameters.keySet()) {
            RefusedParameters.refusal(name).ifPresent(refusal -> {
                throw invalid(label + " " + refusal);
            });
        }
    }

    private static String label(InferInputTensor input) {
        return "input '" + Printable.shortened(input.getName()) + "'";
    }

    static Optional<String> present(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    private static ServiceException invalid(String sentence) {
        return new ServiceException(ServiceError.INVALID, sentence);
    }
}
