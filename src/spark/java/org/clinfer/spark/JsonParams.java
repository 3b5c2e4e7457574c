package org.clinfer.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable;
import org.clinfer.image.Preprocessing;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Parameters that are JSON in a saved pipeline. */
final class JsonParams {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, Preprocessing> PREPROCESSING = new ConcurrentHashMap<>();

    private JsonParams() {}

    /** {@return the way of pictures into the model} Each text is parsed once. */
    static Preprocessing preprocessing(String json) {
        return PREPROCESSING.computeIfAbsent(json, text -> JSON.readValue(text, Preprocessing.class));
    }

    static String json(Preprocessing preprocessing) {
        return JSON.writeValueAsString(preprocessing);
    }

    /** A parameter that maps names to names, in order. */
    static final class NamesParam extends Param<Map<String, String>> {
        private static final long serialVersionUID = 1L;

        NamesParam(Identifiable parent, String name, String doc) {
            super(parent, name, doc);
        }

        @Override
        public String jsonEncode(Map<String, String> value) {
            return JSON.writeValueAsString(value);
        }

        @Override
        public Map<String, String> jsonDecode(String json) {
            return JSON.readValue(json, new TypeReference<LinkedHashMap<String, String>>() {});
        }
    }

    /** The way of pictures into the model. */
    static final class PreprocessingParam extends Param<Preprocessing> {
        private static final long serialVersionUID = 1L;

        PreprocessingParam(Identifiable parent, String name, String doc) {
            super(parent, name, doc);
        }

        @Override
        public String jsonEncode(Preprocessing value) {
            return json(value);
        }

        @Override
        public Preprocessing jsonDecode(String json) {
            return preprocessing(json);
        }
    }
}
