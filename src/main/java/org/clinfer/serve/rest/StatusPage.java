package org.clinfer.serve.rest;

import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The page at {@code /}. */
final class StatusPage {

    private StatusPage() {}

    static void answer(Response response, Callback callback) {
        Answer.text(response, callback, 200, "text/html; charset=utf-8", new byte[0]);
    }
}
