package org.clinfer.serve.rest;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.clinfer.serve.ContentBudget;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.ListenOptions;
import org.clinfer.text.Printable;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.URIUtil;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers each path of the protocol. */
final class RestHandler extends Handler.Abstract.NonBlocking {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Bytes of a request that is none for inference. */
    private static final long SMALL = 1 << 16;

    private final InferenceService service;
    private final ListenOptions options;
    private final long contentSeconds;
    private final ContentBudget budget;
    private final ContentMemory memory = new ContentMemory(ContentMemory.USUALLY_KEPT);
    private final Supplier<String> metrics;
    private final Supplier<Object> status;
    private final Executor changes;

    /**
     * A handler of a service's requests.
     *
     * @param contentSeconds in which the content of a request has to come
     * @param budget of the content of all requests
     * @param changes loads and unloads models, which takes long; refuses where too many wait
     */
    RestHandler(
            InferenceService service,
            ListenOptions options,
            long contentSeconds,
            ContentBudget budget,
            Supplier<String> metrics,
            Supplier<Object> status,
            Executor changes) {
        this.service = service;
        this.options = options;
        this.contentSeconds = contentSeconds;
        this.budget = budget;
        this.metrics = metrics;
        this.status = status;
        this.changes = changes;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        guarded(response, callback, () -> answer(request, response, callback));
        return true;
    }

    private void answer(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getCanonicalPath();
        Route route = Route.of(segments(path))
                .orElseThrow(() -> new RestException(
                        RestException.NOT_FOUND, "there is no path " + Printable.shortened(String.valueOf(path))));
        Route.Kind kind = route.kind();
        boolean isHead = request.getMethod().equals("HEAD") && kind.method().equals("GET");
        if (!request.getMethod().equals(kind.method()) && !isHead) {
            response.getHeaders().put(HttpHeader.ALLOW, kind.method());
            throw new RestException(
                    RestException.NO_SUCH_METHOD, "this path takes " + kind.method() + ", not " + request.getMethod());
        }
        if (!kind.isPublic() && options.token().isPresent()) {
            String sent = request.getHeaders().get(HttpHeader.AUTHORIZATION);
            if (!options.token().get().accepts(sent)) {
                response.getHeaders()
                        .put(
                                HttpHeader.WWW_AUTHENTICATE,
                                (kind == Route.Kind.PAGE ? "Basic" : "Bearer") + " realm=\"clinfer\"");
                throw new RestException(
                        401,
                        "the server asks for a token, 'Authorization: Bearer TOKEN'; the request has "
                                + (sent == null ? "none" : "another"));
            }
        }
        if (kind.method().equals("POST")) {
            requireNoOtherSite(request);
            requireKnownEncoding(request, response);
        }
        route(route, request, response, callback);
    }

    /** Browsers send a page's requests with the password that they know, whatever site the page is of. */
    private static void requireNoOtherSite(Request request) {
        HttpFields headers = request.getHeaders();
        String site = headers.get("Sec-Fetch-Site");
        String origin = headers.get(HttpHeader.ORIGIN);
        boolean isOther = site != null
                ? !site.equals("same-origin") && !site.equals("none")
                : origin != null && !origin.endsWith("://" + headers.get(HttpHeader.HOST));
        if (isOther) {
            throw new RestException(403, "pages of other sites may not ask this server");
        }
    }

    private static void requireKnownEncoding(Request request, Response response) {
        String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity") && !BodyReader.isGzip(request)) {
            response.getHeaders().put(HttpHeader.ACCEPT_ENCODING, "gzip");
            throw new RestException(
                    415, "content in " + Printable.shortened(encoding) + " is not taken; content in gzip is");
        }
    }

    private static List<String> segments(String path) {
        return Stream.of(path.split("/", -1))
                .filter(segment -> !segment.isEmpty())
                .map(segment -> String.valueOf(URIUtil.decodePath(segment)))
                .toList();
    }

    private void route(Route route, Request request, Response response, Callback callback) {
        switch (route.kind()) {
            case PAGE -> StatusPage.answer(response, callback);
            case STATUS -> ok(response, callback, status.get());
            case METRICS ->
                Answer.text(response, callback, 200, METRICS_TYPE, StandardCharsets.UTF_8.encode(metrics.get()));
            case SERVER -> ok(response, callback, service.server());
            case LIVE -> state(response, callback, "live", service.live());
            case READY -> state(response, callback, "ready", service.ready());
            case MODEL ->
                ok(response, callback, ProtocolJson.metadata(service.metadata(model(route), route.version())));
            case MODEL_READY -> modelReady(route, response, callback);
            case STATISTICS ->
                ok(response, callback, ProtocolJson.statistics(service.statistics(route.model(), route.version())));
            case INFER -> infer(route, request, response, callback);
            case INDEX, LOAD, UNLOAD -> repository(route, request, response, callback);
        }
    }

    private static String model(Route route) {
        return route.model().orElseThrow();
    }

    private static void ok(Response response, Callback callback, Object value) {
        Answer.json(response, callback, 200, value);
    }

    private static void state(Response response, Callback callback, String name, boolean holds) {
        Answer.json(response, callback, holds ? 200 : 503, Map.of(name, holds));
    }

    /** Also says that a model is not there, or why it is not ready. */
    private void modelReady(Route route, Response response, Callback callback) {
        service.metadata(model(route), route.version());
        boolean ready = service.ready(model(route), route.version());
        Answer.json(response, callback, ready ? 200 : 503, Map.of("name", model(route), "ready", ready));
    }

    private void infer(Route route, Request request, Response response, Callback callback) {
        InferExchange exchange = new InferExchange(
                service,
                model(route),
                route.version(),
                request,
                response,
                callback,
                request.getComponents().getExecutor(),
                memory);
        new BodyReader(request, options.maxRequestBytes(), budget, memory, contentSeconds, exchange).read();
    }

    private void repository(Route route, Request request, Response response, Callback callback) {
        BodyReader.Receiver receiver = new BodyReader.Receiver() {
            @Override
            public void received(Body body) {
                change(route, body, response, callback);
            }

            @Override
            public void failed(RestException failure) {
                Answer.error(response, callback, failure);
            }
        };
        new BodyReader(request, Math.min(SMALL, options.maxRequestBytes()), budget, memory, contentSeconds, receiver)
                .read();
    }

    private static void guarded(Response response, Callback callback, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error failed) {
            Answer.error(response, callback, RestException.of(failed));
        }
    }

    private void change(Route route, Body body, Response response, Callback callback) {
        JsonNode asked = json(body);
        if (route.kind() == Route.Kind.INDEX) {
            boolean readyOnly = asked.path("ready").asBoolean(false);
            ok(
                    response,
                    callback,
                    service.index(readyOnly).stream().map(ProtocolJson::status).toList());
            return;
        }
        JsonNode parameters = asked.path("parameters");
        if (route.kind() == Route.Kind.LOAD && !parameters.isEmpty()) {
            throw RestException.invalid("a model is loaded as the repository has it; there are no parameters");
        }
        request(() -> guarded(response, callback, () -> {
            if (route.kind() == Route.Kind.LOAD) {
                service.load(model(route));
            } else {
                service.unload(model(route));
            }
            ok(response, callback, Map.of());
        }));
    }

    private void request(Runnable work) {
        try {
            changes.execute(work);
        } catch (RejectedExecutionException full) {
            throw new RestException(429, "too many models wait to be loaded or unloaded");
        }
    }

    private static JsonNode json(Body body) {
        if (body.length() == 0) {
            return MAPPER.createObjectNode();
        }
        try {
            JsonNode node = MAPPER.readTree(body.json().array(), 0, body.length());
            if (node.isObject()) {
                return node;
            }
        } catch (JacksonException malformed) {
            throw RestException.invalid("the content is no JSON");
        }
        throw RestException.invalid("the content must be a JSON object");
    }
}
