package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.feature.Binarizer;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.jdk.javaapi.CollectionConverters;

class ClinferModelTest {

    private static final int ROWS = 101;
    private static final byte[] NETWORK = SampleNetworks.perceptron(6, 5, 4);

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
    void columnsOfAnyTypePassTheModel() {
        StructType inner = new StructType()
                .add("name", DataTypes.StringType)
                .add("counts", DataTypes.createMapType(DataTypes.StringType, DataTypes.LongType));
        StructType schema = new StructType()
                .add("id", DataTypes.IntegerType, false)
                .add("features", arrays(DataTypes.FloatType, true), false)
                .add("words", arrays(DataTypes.StringType, true))
                .add("inner", inner)
                .add("price", DataTypes.createDecimalType(20, 2))
                .add("bytes", DataTypes.BinaryType)
                .add("day", DataTypes.DateType)
                .add("time", DataTypes.TimestampType)
                .add("vector", SQLDataTypes.VectorType());
        List<Row> rows = new ArrayList<>();
        for (float[] input : inputs()) {
            int id = rows.size();
            boolean empty = id % 3 == 0;
            rows.add(RowFactory.create(
                    id,
                    input,
                    empty ? null : new String[] {"word " + id, null, ""},
                    empty ? null : RowFactory.create("row " + id, CollectionConverters.asScala(Map.of("a", (long) id))),
                    empty ? null : new java.math.BigDecimal("1234567890123456." + (10 + id % 90)),
                    empty ? null : new byte[] {(byte) id, 1},
                    empty ? null : java.sql.Date.valueOf("2026-01-" + (10 + id % 20)),
                    empty ? null : new java.sql.Timestamp(1_000L * id),
                    empty ? null : Vectors.sparse(9, new int[] {id % 9}, new double[] {id})));
        }
        Dataset<Row> table = LocalSpark.session()
                .createDataFrame(
                        JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext())
                                .parallelize(rows, 3),
                        schema);
        ClinferModel stage = stage();

        Dataset<Row> result = stage.transform(table);

        assertThat(result.schema()).isEqualTo(stage.transformSchema(schema));
        assertScores(result.select("id", "scores").collectAsList(), inputs());
        assertThat(result.drop("scores").collectAsList()).isEqualTo(table.collectAsList());
    }

    @Test
    void arraysInArraysFeedAnInput() {
        Object[] good = {new Object[] {1f, 2f}, new Object[] {3f, 4f}};
        List<Object> arrays = List.of(
                good,
                new Object[] {new Object[] {1f, 2f}, new Object[] {3f}},
                new Object[] {new Object[] {1f, 2f}, new Object[] {3f, null}},
                new Object[] {new Object[] {1f, 2f}, null},
                new Object[] {null, new Object[] {1f, 2f}});
        Dataset<Row> table = LocalSpark.table(
                "image", arrays(arrays(arrays(DataTypes.FloatType, true), true), true), channels(arrays));

        List<Row> rows = new ClinferModel()
                .setModel(SampleNetworks.channelMeans("height", "width"))
                .setDevice("cpu")
                .setErrorColumn("error")
                .transform(table)
                .sort("id")
                .collectAsList();

        assertThat(rows.get(0).<Float>getList(2)).containsExactly(2.5f, 2.5f, 2.5f);
        assertThat(rows)
                .extracting(row -> row.<String>getAs("error"))
                .containsExactly(
                        null,
                        "column 'image' has arrays of 2 and of 1 elements beside one another",
                        "column 'image' has a null among its elements, after 7",
                        "column 'image' has a null among its elements, after 6",
                        "column 'image' has a null among its elements, after 4");
    }

    /** Elements that cannot be null say nothing of the arrays that they are in. */
    @Test
    void aNullAmongArraysOfNumbersIsAnError() {
        List<Object> arrays = List.of(
                new Object[] {null, new Object[] {1f, 2f}},
                new Object[] {new Object[] {1f, 2f}, null},
                new Object[] {new Object[] {1f, 2f}});
        Dataset<Row> table = LocalSpark.table("x", arrays(arrays(DataTypes.FloatType, false), true), arrays);

        List<Row> rows = new ClinferModel()
                .setModel(SampleNetworks.sum())
                .setDevice("cpu")
                .setErrorColumn("error")
                .transform(table)
                .sort("id")
                .collectAsList();

        assertThat(rows)
                .extracting(row -> row.<String>getAs("error"))
                .containsExactly(
                        "column 'x' has a null among its elements, after 0",
                        "column 'x' has a null among its elements, after 2",
                        "column 'x': input 'x' is Nxlength:float32, of which a row of [1, 2] elements is none");
    }

    /** Three channels for each array, of which the first is whole. */
    private static List<Object> channels(List<Object> arrays) {
        return arrays.stream()
                .map(array -> (Object) new Object[] {arrays.get(0), array, array})
                .toList();
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
    void arraysOfAnyNumbersFeedAnInput() {
        List<float[]> whole = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            whole.add(new float[] {i, -i, 2, 3, 4, 5});
        }
        Map<DataType, java.util.function.Function<Float, Object>> types = Map.of(
                DataTypes.ByteType,
                Float::byteValue,
                DataTypes.ShortType,
                Float::shortValue,
                DataTypes.IntegerType,
                Float::intValue,
                DataTypes.LongType,
                Float::longValue,
                DataTypes.FloatType,
                number -> number,
                DataTypes.DoubleType,
                Float::doubleValue,
                DataTypes.createDecimalType(5, 1),
                number -> new java.math.BigDecimal(number));
        types.forEach((type, convert) -> {
            {
                boolean nullable = type == DataTypes.FloatType || type == DataTypes.LongType;
                List<Object[]> values = new ArrayList<>();
                for (float[] row : whole) {
                    values.add(java.util.stream.IntStream.range(0, row.length)
                            .mapToObj(i -> convert.apply(row[i]))
                            .toArray());
                }
                Dataset<Row> table = LocalSpark.table("features", arrays(type, nullable), values);
                assertScores(stage().transform(table).select("id", "scores").collectAsList(), whole);
            }
        });
    }

    @Test
    void vectorsFeedAnInputAndAreGiven() {
        List<float[]> inputs = inputs();
        List<Vector> vectors = new ArrayList<>();
        for (float[] input : inputs) {
            double[] values = new double[input.length];
            Arrays.setAll(values, i -> input[i]);
            Vector dense = Vectors.dense(values);
            vectors.add(vectors.size() % 2 == 0 ? dense : dense.toSparse());
        }
        Dataset<Row> table = LocalSpark.table("features", SQLDataTypes.VectorType(), vectors);

        List<Row> rows = stage().setVectors("scores").transform(table).collectAsList();

        float[][] expected = session(inputs);
        for (Row row : rows) {
            Vector scores = row.getAs("scores");
            float[] values = new float[scores.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) scores.apply(i);
            }
            assertThat(values).containsExactly(expected[row.getInt(0)]);
        }
    }

    @Test
    void numbersFeedInputsOfOneElementForEachRow() {
        StructType schema = new StructType().add("a", DataTypes.LongType).add("other", DataTypes.IntegerType);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            rows.add(RowFactory.create((1L << 40) + i, i));
        }
        Dataset<Row> table = LocalSpark.session().createDataFrame(rows, schema);

        List<Row> sums = new ClinferModel()
                .setModel(SampleNetworks.addition())
                .setFeed(Map.of("b", "other"))
                .transform(table)
                .collectAsList();

        for (int i = 0; i < 50; i++) {
            assertThat(sums.get(i).<Long>getAs("y")).isEqualTo((1L << 40) + 2L * i);
        }
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

    @Test
    void foldersOfOtherStagesAreRefused() throws Exception {
        String path = folder.resolve("binarizer").toString();
        new Binarizer().write().overwrite().save(path);

        assertThatThrownBy(() -> ClinferModel.load(path))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("it is no ClinferModel, but a org.apache.spark.ml.feature.Binarizer");
    }

    @Test
    void inputsWhoseFirstDimensionsAreNotThoseOfRowsAreRefused() {
        StructType schema = new StructType().add("a", DataTypes.LongType).add("b", DataTypes.LongType);
        ClinferModel open = new ClinferModel().setModel(SampleNetworks.addition("N", "2"));
        ClinferModel fixed = new ClinferModel().setModel(SampleNetworks.addition("1", "2"));
        ClinferModel one = new ClinferModel().setModel(SampleNetworks.addition("N", "1"));

        assertThatThrownBy(() -> open.transformSchema(schema))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "the first dimensions of the inputs are not the rows of a table: 'a' is N:int64, 'b' is 2:int64");
        assertThatThrownBy(() -> fixed.transformSchema(schema)).isInstanceOf(InputException.class);
        assertThat(one.transformSchema(schema).fieldNames()).containsExactly("a", "b", "y");
    }

    @Test
    void pathsThatAreNoneAreRefused() {
        for (String path : List.of("", "a:b.onnx")) {
            assertThatThrownBy(() -> stage().setModel(path))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("'" + path + "' is no path: ");
        }
    }

    @Test
    void aBrokenModelFailsOnTheDriver() {
        byte[] damaged = Arrays.copyOf(NETWORK, NETWORK.length / 2);
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs());

        assertThatThrownBy(() -> stage().setModel(damaged).transform(table)).isInstanceOf(GraphException.class);
        assertThatThrownBy(() -> new ClinferModel().transform(table)).hasMessage("no model is set");
        assertThatThrownBy(() -> stage().setModel(folder.resolve("none.onnx").toString()))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("none.onnx: no such file");
    }

    @Test
    void whatDoesNotFitTheTableFailsOnTheDriver() {
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs());
        StructType schema = table.schema();

        assertThatThrownBy(() -> stage().setFeed(Map.of("x", "feature")).transformSchema(schema))
                .hasMessage("there is no column 'feature' for input 'x'; did you mean 'features'?");
        assertThatThrownBy(() -> stage().setFeed(Map.of("z", "features")).transformSchema(schema))
                .hasMessageStartingWith("the model has no input 'z'; it has [x]");
        assertThatThrownBy(() -> stage().setFetch(Map.of("scores", "sun0")).transformSchema(schema))
                .hasMessageStartingWith("the model gives no value 'sun0'; its outputs are [y]; did you mean 'sum0'?");
        assertThatThrownBy(() -> stage().setFetch(Map.of("id", "y")).transformSchema(schema))
                .hasMessage("there is a column 'id' already");
        assertThatThrownBy(() -> stage().setArgmax(Map.of("score", "best")).transformSchema(schema))
                .hasMessage("there is no fetched column 'score' for 'best'; did you mean 'scores'?");
        assertThatThrownBy(() -> stage().transformSchema(new StructType().add("features", DataTypes.StringType)))
                .hasMessage(
                        "column 'features' is string; inputs are made of numbers, arrays of numbers, vectors, binary"
                                + " and images");
        assertThatThrownBy(() -> stage().setDevice("gpu").transformSchema(schema))
                .hasMessageContaining("device 'gpu' is none of auto, cpu, opencl, all or device numbers");
        assertThatThrownBy(() -> stage().setBinary("text").transformSchema(schema))
                .hasMessage("binary is picture or raw, not 'text'");
        assertThatThrownBy(() -> stage().setBatchSize(0)).hasMessageContaining("batchSize");
    }

    private static ClinferModel stage() {
        return new ClinferModel()
                .setModel(NETWORK)
                .setDevice("cpu")
                .setFeed(Map.of("x", "features"))
                .setFetch(Map.of("scores", "y"));
    }

    private static DataType arrays(DataType element, boolean nullable) {
        return DataTypes.createArrayType(element, nullable);
    }

    /** Eighths, of which products and sums are exact in any order. */
    private static List<float[]> inputs() {
        Random random = new Random(1);
        List<float[]> inputs = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            float[] input = new float[6];
            for (int i = 0; i < input.length; i++) {
                input[i] = random.nextInt(-8, 9) / 8f;
            }
            inputs.add(input);
        }
        return inputs;
    }

    /** What a session gives for each row by itself. */
    private static float[][] session(List<float[]> inputs) {
        float[][] outputs = new float[inputs.size()][];
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(NETWORK);
                Session session = model.session()) {
            for (int i = 0; i < outputs.length; i++) {
                try (Result result = session.run(Map.of("x", Tensor.of(inputs.get(i), 1, 6)))) {
                    outputs[i] = result.get("y").toFloatArray();
                }
            }
        }
        return outputs;
    }

    private static void assertScores(List<Row> rows, List<float[]> inputs) {
        float[][] expected = session(inputs);
        assertThat(rows).hasSize(inputs.size());
        assertThat(rows.stream().map(row -> row.getInt(0)).distinct()).hasSize(inputs.size());
        for (Row row : rows) {
            assertThat(floats(row, "scores")).containsExactly(expected[row.getInt(0)]);
        }
    }

    private static float[] floats(Row row, String column) {
        List<Float> list = row.getList(row.fieldIndex(column));
        float[] floats = new float[list.size()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = list.get(i);
        }
        return floats;
    }
}
