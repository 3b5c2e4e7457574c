package org.clinfer.serve.rest;

import java.util.List;
import java.util.Optional;

/**
 * The request that a path stands for.
 *
 * @param kind what
 * @param model the model's name; empty where none is named
 * @param version its version; empty where none is named
 */
record Route(Kind kind, Optional<String> model, Optional<String> version) {

    /** The paths there are, with the method of each. */
    enum Kind {
        PAGE("GET"),
        STATUS("GET"),
        METRICS("GET"),
        SERVER("GET"),
        LIVE("GET"),
        READY("GET"),
        MODEL("GET"),
        MODEL_READY("GET"),
        STATISTICS("GET"),
        INFER("POST"),
        INDEX("POST"),
        LOAD("POST"),
        UNLOAD("POST");

        private final String method;

        Kind(String method) {
            this.method = method;
        }

        String method() {
            return method;
        }

        /** {@return true if it is answered without a token: an orchestrator asks, and learns nothing else} */
        boolean isPublic() {
            return this == LIVE || this == READY;
        }
    }

    private static Optional<Route> of(Kind kind) {
        return Optional.of(new Route(kind, Optional.empty(), Optional.empty()));
    }

    /** The route of a path's segments, which are decoded; empty if there is none. */
    static Optional<Route> of(List<String> path) {
        return switch (String.join("/", path)) {
            case "" -> of(Kind.PAGE);
            case "status.json" -> of(Kind.STATUS);
            case "metrics" -> of(Kind.METRICS);
            case "v2" -> of(Kind.SERVER);
            case "v2/health/live" -> of(Kind.LIVE);
            case "v2/health/ready" -> of(Kind.READY);
            case "v2/models/stats" -> of(Kind.STATISTICS);
            case "v2/repository/index" -> of(Kind.INDEX);
            default -> ofModel(path);
        };
    }

    private static Optional<Route> ofModel(List<String> path) {
        int size = path.size();
        if (size == 5 && path.subList(0, 3).equals(List.of("v2", "repository", "models"))) {
            return action(path.get(4), List.of("load", "unload"))
                    .map(kind -> new Route(kind, Optional.of(path.get(3)), Optional.empty()));
        }
        if (size < 3 || !path.subList(0, 2).equals(List.of("v2", "models"))) {
            return Optional.empty();
        }
        Optional<String> model = Optional.of(path.get(2));
        boolean hasVersion = size >= 5 && path.get(3).equals("versions");
        Optional<String> version = hasVersion ? Optional.of(path.get(4)) : Optional.empty();
        List<String> rest = path.subList(hasVersion ? 5 : 3, size);
        if (rest.isEmpty()) {
            return Optional.of(new Route(Kind.MODEL, model, version));
        }
        return rest.size() > 1
                ? Optional.empty()
                : action(rest.get(0), List.of("ready", "infer", "stats")).map(kind -> new Route(kind, model, version));
    }

    private static Optional<Kind> action(String word, List<String> allowed) {
        if (!allowed.contains(word)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (word) {
                    case "ready" -> Kind.MODEL_READY;
                    case "infer" -> Kind.INFER;
                    case "stats" -> Kind.STATISTICS;
                    case "load" -> Kind.LOAD;
                    default -> Kind.UNLOAD;
                });
    }
}
