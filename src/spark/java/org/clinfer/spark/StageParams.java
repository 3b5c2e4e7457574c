package org.clinfer.spark;

import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import org.clinfer.errors.InputException;
import org.clinfer.image.Preprocessing;

/** The parameters of a stage with their defaults, and what they say together. */
final class StageParams implements Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final int USUAL_BATCH = 32;
    private static final int USUAL_MILLIS = 1000;

    final JsonParams.NamesParam feed;
    final JsonParams.NamesParam fetch;
    final JsonParams.NamesParam softmax;
    final JsonParams.NamesParam argmax;
    final StringArrayParam vectors;
    final IntParam batchSize;
    final IntParam maxBatchMillis;
    final Param<String> device;
    final Param<String> resource;
    final Param<String> precision;
    final Param<String> onUnsupported;
    final Param<String> binary;
    final JsonParams.PreprocessingParam preprocessing;
    final Param<String> errorColumn;
    final Param<String> modelFile;
    private final Params stage;

    StageParams(Params stage) {
        this.stage = stage;
        feed = new JsonParams.NamesParam(stage, "feed", "columns by input, else the column of the input's name");
        fetch = new JsonParams.NamesParam(stage, "fetch", "values by new column, else each output under its name");
        softmax = new JsonParams.NamesParam(stage, "softmax", "new columns of probabilities by fetched column");
        argmax = new JsonParams.NamesParam(
                stage, "argmax", "new columns of the largest element's index by fetched column");
        vectors = new StringArrayParam(stage, "vectors", "fetched columns that are vectors instead of arrays");
        batchSize = new IntParam(stage, "batchSize", "rows of a run at most", ParamValidators.gtEq(1));
        maxBatchMillis = new IntParam(
                stage,
                "maxBatchMillis",
                "time that a row waits for others while rows come, 0 for any",
                ParamValidators.gtEq(0));
        device = new Param<>(
                stage, "device", "auto (the task's own, if Spark gives it one), cpu, opencl, all or a number");
        resource = new Param<>(stage, "resource", "the name under which Spark schedules devices");
        precision = new Param<>(stage, "precision", "float32, tf32 or float16");
        onUnsupported =
                new Param<>(stage, "onUnsupported", "what becomes of nodes that the device does not take: cpu or fail");
        binary = new Param<>(stage, "binary", "what binary columns have: picture (files) or raw (elements)");
        preprocessing = new JsonParams.PreprocessingParam(stage, "preprocessing", "the way of pictures into the model");
        errorColumn = new Param<>(stage, "errorColumn", "new column of what is wrong with a row");
        modelFile = new Param<>(stage, "modelFile", "the model's own file, set with the model; empty for a folder");
        stage.setDefault(feed, Map.of());
        stage.setDefault(fetch, Map.of());
        stage.setDefault(softmax, Map.of());
        stage.setDefault(argmax, Map.of());
        stage.setDefault(vectors, new String[0]);
        stage.setDefault(batchSize, USUAL_BATCH);
        stage.setDefault(maxBatchMillis, USUAL_MILLIS);
        stage.setDefault(device, "auto");
        stage.setDefault(resource, "gpu");
        stage.setDefault(precision, "float32");
        stage.setDefault(onUnsupported, "cpu");
        stage.setDefault(binary, "picture");
        stage.setDefault(preprocessing, Preprocessing.defaults());
    }

    private <T> T value(Param<T> param) {
        return stage.getOrDefault(param);
    }

    /** The columns by input. */
    Map<String, String> feedNames() {
        return value(feed);
    }

    /** The values by new column. */
    Map<String, String> fetchNames() {
        return value(fetch);
    }

    int rows() {
        return (int) stage.getOrDefault(batchSize);
    }

    EngineSettings engine() {
        EngineSettings settings =
                new EngineSettings(value(device), value(resource), value(precision), value(onUnsupported));
        settings.options();
        return settings;
    }

    ColumnKind binaryKind() {
        String word = value(binary);
        return switch (word) {
            case "picture" -> ColumnKind.PICTURE;
            case "raw" -> ColumnKind.RAW;
            default -> throw new InputException("binary is picture or raw, not '" + word + "'");
        };
    }

    /** Adds the columns that a stage gives. */
    void addColumns(SchemaPlan columns, Map<String, String> fetched) {
        columns.fetch(fetched, List.of(value(vectors)), rows());
        columns.derive(value(softmax), fetched, TaskPlan.Form.SOFTMAX);
        columns.derive(value(argmax), fetched, TaskPlan.Form.ARGMAX);
        if (stage.isDefined(errorColumn)) {
            columns.errors(value(errorColumn));
        }
    }

    TaskPlan task(NetworkChoice network, List<TaskPlan.Feed> feeds, SchemaPlan columns) {
        return new TaskPlan(
                engine(),
                network,
                feeds,
                columns.fetches(),
                JsonParams.json(value(preprocessing)),
                rows(),
                (int) stage.getOrDefault(maxBatchMillis),
                stage.isDefined(errorColumn));
    }
}
