package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results of a stage, and its runs and its copy on disk. */
class ClinferModelTest extends StageTests {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"cpu,1", "cpu,7", "cpu,32", "auto,32"})
    void rowsAreThoseOfAPlainSession(String device, int batchSize) {
        List<float[]> inputs = inputs();
        ClinferModel model = stage().setDevice(device).setBatchSize(batchSize);
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs);

        Dataset<Row> result = model.transform(table);

        assertThat(result.schema().fieldNames()).containsExactly("id", "features", "scores");
        assertScores(result.select("id", "scores").collectAsList(), inputs);
    }

    @Test
    void theTableKeepsItsColumns() {
        List<float[]> inputs = inputs();
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs);

        for (Row row : stage().transform(table).collectAsList()) {
            assertThat(floats(row, "features")).containsExactly(inputs.get(row.getInt(0)));
        }
    }

    @Test
    void functionsOfUsersBeforeAndAfterSeeTheUsualRows() {
        List<float[]> inputs = inputs();
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs);
        Dataset<Row> mapped = table.map((MapFunction<Row, Row>) row -> row, Encoders.row(table.schema()));

        List<String> lengths = stage().transform(mapped)
                .map(
                        (MapFunction<Row, String>) row -> row.<Float>getList(1).size() + " "
                                + row.<Float>getList(2).size(),
                        Encoders.STRING())
                .collectAsList();

        assertThat(lengths).hasSize(ROWS).containsOnly("6 4");
    }

    @Test
    void probabilitiesAndPredictionsAreColumns() {
        List<float[]> inputs = inputs();
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs);

        List<Row> rows = stage().setSoftmax(Map.of("scores", "probability"))
                .setArgmax(Map.of("scores", "prediction"))
                .transform(table)
                .collectAsList();

        float[][] expected = session(inputs);
        for (Row row : rows) {
            float[] scores = expected[row.getInt(0)];
            int best = 0;
            double sum = 0;
            for (int i = 0; i < scores.length; i++) {
                best = scores[i] > scores[best] ? i : best;
                sum += Math.exp(scores[i]);
            }
            assertThat(row.<Double>getAs("prediction")).isEqualTo(best);
            assertThat(floats(row, "probability")[best])
                    .isCloseTo((float) (Math.exp(scores[best]) / sum), org.assertj.core.data.Offset.offset(1e-6f));
        }
    }

    @Test
    void valuesBetweenNodesAreColumnsToo() {
        List<float[]> inputs = inputs();
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs);

        List<Row> rows =
                stage().setFetch(Map.of("hidden", "h0")).transform(table).collectAsList();

        assertThat(rows)
                .hasSize(ROWS)
                .allSatisfy(row -> assertThat(floats(row, "hidden")).hasSize(5).satisfies(hidden -> {
                    for (float element : hidden) {
                        assertThat(element).isNotNegative();
                    }
                }));
    }

    @Test
    void rowsOfDifferentSizesAreGroupedAndStayInOrder() {
        List<float[]> inputs = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            float[] row = new float[1 + i % 4];
            Arrays.fill(row, i);
            inputs.add(row);
        }
        Dataset<Row> table = LocalSpark.table("x", arrays(DataTypes.FloatType, false), inputs)
                .coalesce(1);
        ClinferModel sums = new ClinferModel().setModel(SampleNetworks.sum()).setBatchSize(4);
        List<Row> before = table.collectAsList();

        List<Row> rows = sums.transform(table).collectAsList();

        assertThat(rows)
                .extracting(row -> row.getInt(0))
                .containsExactlyElementsOf(
                        before.stream().map(row -> row.getInt(0)).toList());
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(row.<Float>getAs("y")).isEqualTo((float) row.getInt(0) * (1 + row.getInt(0) % 4)));
    }

    @Test
    void aModelOfAFixedBatchRunsItsLastRowsToo() {
        List<float[]> inputs = inputs();
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs);
        ClinferModel fixed = stage().setModel(SampleNetworks.perceptron("8", 6, 5, 4));

        assertScores(fixed.transform(table).select("id", "scores").collectAsList(), inputs);
    }

    @Test
    void nothingIsReadOfAnEmptyTable() {
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), List.of());

        assertThat(stage().transform(table).collectAsList()).isEmpty();
    }

    @Test
    void tasksShareOneEngineAndOneModel() {
        ExecutorModels.close();
        List<float[]> inputs = inputs();
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs)
                .repartition(16);

        stage().transform(table).collectAsList();
        stage().setBatchSize(3).transform(table).collectAsList();

        assertThat(ExecutorModels.models()).isEqualTo(1);
        assertThat(ExecutorModels.engines()).isEqualTo(1);
    }

    @Test
    void aPipelineIsSavedWithItsModel() throws Exception {
        List<float[]> inputs = inputs();
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs);
        Path file = Files.write(folder.resolve("net.onnx"), NETWORK);
        ClinferModel stage = stage().setModel(file.toString()).setBatchSize(5);
        PipelineModel pipeline =
                new Pipeline().setStages(new PipelineStage[] {stage}).fit(table);

        pipeline.write().overwrite().save(folder.resolve("saved").toString());
        Files.delete(file);
        PipelineModel loaded = PipelineModel.load(folder.resolve("saved").toString());

        ClinferModel read = (ClinferModel) loaded.stages()[0];
        assertThat(read.uid()).isEqualTo(stage.uid());
        assertThat(read.getOrDefault(read.feed())).isEqualTo(Map.of("x", "features"));
        assertThat(read.getOrDefault(read.batchSize())).isEqualTo(5);
        assertScores(loaded.transform(table).select("id", "scores").collectAsList(), inputs);
    }

    @Test
    void parametersMayBeSetAtAnyTime() {
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs());
        ClinferModel stage = stage();
        stage.transformSchema(table.schema());

        stage.set(stage.fetch(), Map.of("sums", "sum0"));

        assertThat(stage.transform(table).columns()).containsExactly("id", "features", "sums");
    }
}
