package org.clinfer.serve.grpc;

import com.google.protobuf.Message;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.grpc.proto.ModelInferRequest;
import org.jspecify.annotations.Nullable;

/**
 * Methods whose requests are parsed from a {@link ReceivedMessage}, and that answer malformed ones with {@code
 * INVALID_ARGUMENT} and one sentence; gRPC's own way calls them a failure of the server.
 */
final class CheckedMessages {

    /** Makes of a message what the method takes. */
    @FunctionalInterface
    private interface Parser<T> {
        /** @throws IOException if the message is malformed */
        T parse(ReceivedMessage message) throws IOException;
    }

    /** A message, or why it cannot be one. */
    private record Received(@Nullable ReceivedMessage message, Status status) {}

    /**
     * Never throws, since gRPC would call that a failure of the server.
     *
     * @param memory of raw contents; null for a message that has none
     */
    private record Receiving(Message prototype, @Nullable ContentMemory memory)
            implements MethodDescriptor.Marshaller<Received> {

        @Override
        public InputStream stream(Received message) {
            throw new IllegalStateException("a server sends no requests");
        }

        @Override
        public Received parse(InputStream stream) {
            try {
                return new Received(
                        memory == null ? ReceivedMessage.read(stream) : ReceivedMessage.readInference(stream, memory),
                        Status.OK);
            } catch (IOException malformed) {
                return new Received(null, Statuses.of(unsound(prototype)).getStatus());
            } catch (StatusRuntimeException tooLarge) {
                return new Received(null, tooLarge.getStatus());
            } catch (ServiceException | OutOfMemoryError refused) {
                return new Received(null, Statuses.of(refused).getStatus());
            }
        }
    }

    private CheckedMessages() {}

    /** The same service with such methods; those that are given stand in the place of the service's own. */
    static ServerServiceDefinition of(ServerServiceDefinition service, List<ServerMethodDefinition<?, ?>> given) {
        Map<String, ServerMethodDefinition<?, ?>> methods = new LinkedHashMap<>();
        service.getMethods().forEach(method -> methods.put(name(method), checked(method)));
        given.forEach(method -> methods.put(name(method), method));
        ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(
                        service.getServiceDescriptor().getName())
                .setSchemaDescriptor(service.getServiceDescriptor().getSchemaDescriptor());
        methods.values().forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder builder = ServerServiceDefinition.builder(descriptor.build());
        methods.values().forEach(builder::addMethod);
        return builder.build();
    }

    private static String name(ServerMethodDefinition<?, ?> method) {
        return method.getMethodDescriptor().getFullMethodName();
    }

    private static <Q, R> ServerMethodDefinition<?, R> checked(ServerMethodDefinition<Q, R> method) {
        Message prototype = prototype(method.getMethodDescriptor());
        @SuppressWarnings("unchecked")
        Parser<Q> parser = message -> (Q) parse(message, prototype);
        Receiving receiving = new Receiving(prototype, null);
        return define(method.getMethodDescriptor(), receiving, parser, method.getServerCallHandler());
    }

    /**
     * A method that takes requests for inference.
     *
     * @param memory where their raw contents come to lie
     */
    static <R> ServerMethodDefinition<?, R> inference(
            MethodDescriptor<ModelInferRequest, R> method,
            ContentMemory memory,
            ServerCallHandler<InferMessage, R> handler) {
        Message prototype = prototype(method);
        return define(
                method,
                new Receiving(prototype, memory),
                message -> new InferMessage((ModelInferRequest) parse(message, prototype), message.contents()),
                handler);
    }

    private static Message prototype(MethodDescriptor<?, ?> method) {
        return (Message)
                ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller()).getMessagePrototype();
    }

    private static Message parse(ReceivedMessage message, Message prototype) throws IOException {
        MessageSize.check(message.fields().newCodedInput(), prototype.getDescriptorForType());
        return prototype.getParserForType().parseFrom(message.fields());
    }

    private static <Q, T, R> ServerMethodDefinition<Received, R> define(
            MethodDescriptor<Q, R> method, Receiving receiving, Parser<T> parser, ServerCallHandler<T, R> handler) {
        return ServerMethodDefinition.create(
                method.toBuilder(receiving, method.getResponseMarshaller()).build(),
                (call, headers) -> new Parsing<>(
                        call,
                        receiving.prototype(),
                        parser,
                        handler.startCall(new ParsedCall<>(call, method), headers)));
    }

    private static ServiceException unsound(Message prototype) {
        String type = prototype.getDescriptorForType().getName();
        return new ServiceException(ServiceError.INVALID, "the message is no sound " + type);
    }

    /** Parses what a call receives. After a malformed message the call is closed, and the service hears that it is cancelled. */
    private static final class Parsing<T, R> extends ServerCall.Listener<Received> {

        private final ServerCall<Received, R> call;
        private final Message prototype;
        private final Parser<T> parser;
        private final ServerCall.Listener<T> listener;
        private boolean refused;

        Parsing(ServerCall<Received, R> call, Message prototype, Parser<T> parser, ServerCall.Listener<T> listener) {
            this.call = call;
            this.prototype = prototype;
            this.parser = parser;
            this.listener = listener;
        }

        @Override
        public void onMessage(Received received) {
            if (refused) {
                return;
            }
            ReceivedMessage message = received.message();
            if (message == null) {
                refuse(received.status());
                return;
            }
            T parsed;
            try {
                parsed = parser.parse(message);
            } catch (IOException malformed) {
                refuse(Statuses.of(unsound(prototype)).getStatus());
                return;
            } catch (ServiceException refusal) {
                refuse(Statuses.of(refusal).getStatus());
                return;
            }
            listener.onMessage(parsed);
        }

        private void refuse(Status status) {
            refused = true;
            call.close(status, new Metadata());
            listener.onCancel();
        }

        @Override
        public void onHalfClose() {
            if (!refused) {
                listener.onHalfClose();
            }
        }

        @Override
        public void onCancel() {
            if (!refused) {
                listener.onCancel();
            }
        }

        @Override
        public void onComplete() {
            if (!refused) {
                listener.onComplete();
            }
        }

        @Override
        public void onReady() {
            if (!refused) {
                listener.onReady();
            }
        }
    }

    /** A call as the service sees it: of parsed requests. */
    private static final class ParsedCall<T, R> extends ServerCall<T, R> {

        private final ServerCall<Received, R> call;
        private final MethodDescriptor<T, R> method;

        /** @param method the method, whose marshaller of requests is not asked */
        @SuppressWarnings("unchecked")
        ParsedCall(ServerCall<Received, R> call, MethodDescriptor<?, R> method) {
            this.call = call;
            this.method = (MethodDescriptor<T, R>) method;
        }

        @Override
        public MethodDescriptor<T, R> getMethodDescriptor() {
            return method;
        }

        @Override
        public void request(int count) {
            call.request(count);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            call.sendHeaders(headers);
        }

        @Override
        public void sendMessage(R message) {
            call.sendMessage(message);
        }

        @Override
        public boolean isReady() {
            return call.isReady();
        }

        @Override
        public void close(Status status, Metadata trailers) {
            call.close(status, trailers);
        }

        @Override
        public boolean isCancelled() {
            return call.isCancelled();
        }

        @Override
        public void setMessageCompression(boolean enabled) {
            call.setMessageCompression(enabled);
        }

        @Override
        public void setCompression(String compressor) {
            call.setCompression(compressor);
        }

        @Override
        public SecurityLevel getSecurityLevel() {
            return call.getSecurityLevel();
        }

        @Override
        public Attributes getAttributes() {
            return call.getAttributes();
        }

        @Override
        public @Nullable String getAuthority() {
            return call.getAuthority();
        }
    }
}
