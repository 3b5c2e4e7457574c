package org.clinfer.serve;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.clinfer.errors.BadInputException;
import org.clinfer.errors.ClinferException;
import org.clinfer.errors.MemoryLimitException;
import org.clinfer.errors.RefusedException;
import org.clinfer.text.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sentences that clients are told of failures. */
final class ServiceFailure {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceFailure.class);

    private ServiceFailure() {}

    /** The refusal where memory is short. */
    static ServiceException noMemory() {
        return new ServiceException(ServiceError.UNAVAILABLE, "the server has no memory for more requests now");
    }

    /** The refusal for a failure of a run or of loading. What nobody foresaw is logged, and the client told no more than that. */
    static ServiceException of(String model, Throwable thrown) {
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof ServiceException known) {
            return known;
        }
        if (failure instanceof OutOfMemoryError) {
            LOG.warn("model '{}': {}", model, failure.toString());
            return noMemory();
        }
        String sentence = "model '" + Printable.shortened(model) + "': " + Printable.message(message(failure));
        if (failure instanceof RefusedException refused) {
            return new ServiceException(error(refused.reason()), sentence);
        }
        if (failure instanceof BadInputException) {
            return new ServiceException(ServiceError.INVALID, sentence);
        }
        if (failure instanceof MemoryLimitException) {
            return new ServiceException(ServiceError.UNAVAILABLE, sentence);
        }
        if (failure instanceof CancellationException) {
            return new ServiceException(ServiceError.UNAVAILABLE, sentence);
        }
        if (failure instanceof ClinferException) {
            return new ServiceException(ServiceError.INTERNAL, sentence);
        }
        LOG.error("model '{}' failed", model, failure);
        return new ServiceException(
                ServiceError.INTERNAL,
                "model '" + Printable.shortened(model) + "' failed: "
                        + failure.getClass().getSimpleName());
    }

    /** The reason of a failure, without the model's name. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return Printable.message(message == null ? failure.getClass().getSimpleName() : message(failure));
    }

    private static ServiceError error(RefusedException.Reason cause) {
        return switch (cause) {
            case FULL -> ServiceError.BUSY;
            case LATE -> ServiceError.TIMED_OUT;
            case CLOSED -> ServiceError.UNAVAILABLE;
        };
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }
}
