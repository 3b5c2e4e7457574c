package org.clinfer.serve.rest;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** The answer to requests that Jetty refuses by itself, such as malformed ones, in the form of all others. */
final class ErrorAnswer {

    private ErrorAnswer() {}

    static void answer(Request request, Response response, Callback callback) {
        // where the head of a request could not be read the connection is closed, which its client is to know
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
        if (request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof OutOfMemoryError noMemory) {
            Answer.error(response, callback, RestException.of(noMemory));
            return;
        }
        int status = response.getStatus() >= RestException.INVALID ? response.getStatus() : RestException.NOT_FOUND;
        Object message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
        String reason = message == null ? HttpStatus.getMessage(status) : message.toString();
        Answer.error(response, callback, new RestException(status, "the request is refused: " + reason));
    }
}
