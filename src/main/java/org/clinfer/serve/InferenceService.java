package org.clinfer.serve;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The answers of a server, whatever the protocol: models by name and version, their state, and inference. An absent version
 * means the newest that is loaded. Methods throw {@link ServiceException} with one sentence for the client; the future of
 * {@link #infer} fails with it. Thread-safe.
 */
public interface InferenceService {

    /** The server's name, version and extensions. */
    ServerMetadata server();

    /** {@return true while the server works: false once a device is lost for good} */
    boolean live();

    /** {@return true if every model of the repository that is to be loaded is ready, and the server does not drain} */
    boolean ready();

    /** {@return true if the model is loaded and warm} */
    boolean ready(String model, Optional<String> version);

    /** Names, types and shapes of the model's inputs and outputs. */
    ModelMetadata metadata(String model, Optional<String> version);

    /**
     * Runs a model. The request's tensors belong to the service from here on, also when this method throws.
     *
     * @return the outputs, which the caller closes; cancelling the future gives up the work
     */
    CompletableFuture<InferenceResponse> infer(InferenceRequest request);

    /** The models of the repository, or those that are ready. */
    List<ModelStatus> index(boolean readyOnly);

    /**
     * Loads a model, or what the repository has of it now in its place; requests in the meantime have the old one. Returns when it
     * is ready.
     */
    void load(String model);

    /** Unloads all versions of a model. Requests that came before are answered. Returns when none of its memory is held. */
    void unload(String model);

    /** Statistics of a model's versions, or of all models where none is named. */
    List<ModelStatistics> statistics(Optional<String> model, Optional<String> version);
}
