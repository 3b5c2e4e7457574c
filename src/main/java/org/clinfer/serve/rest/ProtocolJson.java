package org.clinfer.serve.rest;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.serve.Datatype;
import org.clinfer.serve.ModelMetadata;
import org.clinfer.serve.ModelStatistics;
import org.clinfer.serve.ModelStatus;
import org.clinfer.serve.TensorMetadata;

/** Answers about models, with the names of fields of the protocol. */
final class ProtocolJson {

    /** The protocol requires fields of what the server does not measure by itself, and of caches, which it has not. */
    private static final ModelStatistics.Timed NONE = new ModelStatistics.Timed(0, 0);

    private ProtocolJson() {}

    static Map<String, Object> metadata(ModelMetadata model) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", model.name());
        json.put("versions", model.versions());
        json.put("platform", model.platform());
        json.put("inputs", model.inputs().stream().map(ProtocolJson::tensor).toList());
        json.put("outputs", model.outputs().stream().map(ProtocolJson::tensor).toList());
        return json;
    }

    private static Map<String, Object> tensor(TensorMetadata tensor) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", tensor.name());
        json.put("datatype", Datatype.name(tensor.type()));
        json.put("shape", tensor.shape());
        return json;
    }

    static Map<String, Object> status(ModelStatus status) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", status.name());
        if (!status.version().isEmpty()) {
            json.put("version", status.version());
        }
        json.put("state", status.state().name());
        json.put("reason", status.reason());
        return json;
    }

    static Map<String, Object> statistics(List<ModelStatistics> all) {
        return Map.of("model_stats", all.stream().map(ProtocolJson::statistics).toList());
    }

    private static Map<String, Object> statistics(ModelStatistics of) {
        Map<String, Object> times = new LinkedHashMap<>();
        times.put("success", timed(of.success()));
        times.put("fail", timed(of.fail()));
        times.put("queue", timed(of.queue()));
        times.put("compute_input", timed(NONE));
        times.put("compute_infer", timed(of.compute()));
        times.put("compute_output", timed(NONE));
        times.put("cache_hit", timed(NONE));
        times.put("cache_miss", timed(NONE));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", of.name());
        json.put("version", of.version());
        json.put("last_inference", of.lastInference().map(Instant::toEpochMilli).orElse(0L));
        json.put("inference_count", of.inferences());
        json.put("execution_count", of.executions());
        json.put("inference_stats", times);
        json.put("batch_stats", List.of());
        return json;
    }

    private static Map<String, Object> timed(ModelStatistics.Timed times) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", times.count());
        json.put("ns", times.nanos());
        return json;
    }
}
