package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.ml.image.ImageSchema;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.clinfer.Result;
import org.clinfer.errors.InputException;
import org.clinfer.image.Preprocessing;
import org.clinfer.profile.ProfileException;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionsTest {

    private static final SparkSession SPARK = LocalSpark.session();

    @TempDir
    private Path folder;

    @Test
    void aModelIsAFunctionOfSql() {
        ClinferFunctions.register(SPARK, "total", new ClinferModel().setModel(SampleNetworks.sum()));
        ClinferFunctions.register(SPARK, "plus", new ClinferModel().setModel(SampleNetworks.addition()));

        List<Row> rows = SPARK.sql(
                        "SELECT id, total(array(id, 1, 2.5D)) AS total, plus(id, id) AS twice FROM range(40)")
                .collectAsList();

        assertThat(rows).hasSize(40).allSatisfy(row -> {
            assertThat(row.getFloat(1)).isEqualTo(row.getLong(0) + 3.5f);
            assertThat(row.getLong(2)).isEqualTo(2 * row.getLong(0));
        });
        assertThat(SPARK.sql("SELECT total(array(1, 2))").collectAsList().get(0).getFloat(0))
                .isEqualTo(3f);
    }

    @Test
    void aFunctionOfSeveralColumnsGivesAStruct() {
        ClinferModel stage = new ClinferModel()
                .setModel(SampleNetworks.perceptron(2, 3))
                .setFetch(Map.of("scores", "y"))
                .setArgmax(Map.of("scores", "best"))
                .setErrorColumn("error");
        ClinferFunctions.register(SPARK, "judge", stage);

        Row good = SPARK.sql("SELECT judge(array(1, 2)) AS j")
                .select("j.*")
                .collectAsList()
                .get(0);
        Row bad = SPARK.sql("SELECT judge(array(1)) AS j")
                .select("j.*")
                .collectAsList()
                .get(0);

        assertThat(good.schema().fieldNames()).containsExactly("scores", "best", "error");
        assertThat(good.<Float>getList(0)).hasSize(3);
        assertThat(good.isNullAt(2)).isTrue();
        assertThat(bad.getString(2)).startsWith("column 'x': input 'x' is Nx2:float32");
    }

    @Test
    void argumentsHaveAnyTypeThatColumnsMayHave() {
        ClinferFunctions.register(SPARK, "sumOf", new ClinferModel().setModel(SampleNetworks.sum()));
        ClinferModel means = new ClinferModel()
                .setModel(SampleNetworks.channelMeans("height", "width"))
                .setPreprocessing(Preprocessing.defaults().withScale(1));
        ClinferFunctions.register(SPARK, "meansOf", means);
        byte[] bgr = {3, 2, (byte) 200, 3, 2, (byte) 200};
        StructType schema = new StructType()
                .add("vector", SQLDataTypes.VectorType())
                .add("decimals", DataTypes.createArrayType(DataTypes.createDecimalType(5, 1)))
                .add("image", ImageSchema.columnSchema())
                .add(
                        "nested",
                        DataTypes.createArrayType(
                                DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.ShortType))));
        Object[] channels = {new Object[] {new Object[] {(short) 4, (short) 6}}};
        Row values = RowFactory.create(
                Vectors.sparse(3, new int[] {1}, new double[] {2.5}),
                new java.math.BigDecimal[] {new java.math.BigDecimal("0.5"), new java.math.BigDecimal("1.0")},
                RowFactory.create(null, 1, 2, 3, 16, bgr),
                new Object[] {channels[0], channels[0], channels[0]});
        SPARK.createDataFrame(List.of(values), schema).createOrReplaceTempView("arguments");

        Row row = SPARK.sql("SELECT sumOf(vector), sumOf(decimals), meansOf(image), meansOf(nested) FROM arguments")
                .collectAsList()
                .get(0);

        assertThat(row.getFloat(0)).isEqualTo(2.5f);
        assertThat(row.getFloat(1)).isEqualTo(1.5f);
        assertThat(row.<Float>getList(2)).containsExactly(200f, 2f, 3f);
        assertThat(row.<Float>getList(3)).containsExactly(5f, 5f, 5f);
    }

    @Test
    void codeInTasksSharesTheModel() {
        ExecutorModel model = ExecutorModel.of(SPARK, new ClinferModel().setModel(SampleNetworks.sum()));
        Dataset<Long> numbers = SPARK.range(0, 100, 1, 5);

        List<Float> sums = numbers.mapPartitions(
                        (MapPartitionsFunction<Long, Float>)
                                rows -> model.map(rows, 7, FunctionsTest::inputs, FunctionsTest::sums),
                        Encoders.FLOAT())
                .collectAsList();

        assertThat(sums)
                .containsExactlyElementsOf(
                        IntStream.range(0, 100).mapToObj(i -> 2f * i).toList());
        assertThatThrownBy(() -> model.map(List.<Long>of().iterator(), 0, FunctionsTest::inputs, FunctionsTest::sums))
                .hasMessage("a batch has at least one row, not 0");
    }

    private static Map<String, Tensor> inputs(List<Long> rows) {
        float[] values = new float[2 * rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = rows.get(i / 2);
        }
        return Map.of("x", Tensor.of(values, rows.size(), 2));
    }

    private static List<Float> sums(List<Long> rows, Result result) {
        List<Float> sums = new ArrayList<>();
        for (float sum : result.get("y").toFloatArray()) {
            sums.add(sum);
        }
        return sums;
    }

    @Test
    void argumentsOfOtherTypesAreRefused() {
        ClinferFunctions.register(SPARK, "sumOf", new ClinferModel().setModel(SampleNetworks.sum()));

        for (String argument :
                List.of("current_date()", "map(1f, 2f)", "named_struct('a', 1)", "timestamp '2020-01-01 00:00:01'")) {
            assertThatThrownBy(() -> SPARK.sql("SELECT sumOf(" + argument + ")").collectAsList())
                    .as(argument)
                    .rootCause()
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("an argument is a ");
        }
        assertThatThrownBy(() -> SPARK.sql("SELECT sumOf(array(1f, null))").collectAsList())
                .rootCause()
                .hasMessageStartingWith("column 'x' has a null");
    }

    @Test
    void modelsAndProfilesMakeATableOfNodes() throws Exception {
        Path net = Files.write(folder.resolve("net.onnx"), SampleNetworks.perceptron("4", 3, 4, 2));
        Path damaged = Files.write(folder.resolve("damaged.onnx"), new byte[] {1, 2, 3});

        List<Row> rows = CapabilityTable.check(
                        SPARK,
                        List.of(net.toString(), damaged.toString(), "a:b.onnx"),
                        List.of("ascend310", "ascend910b1"),
                        Reading.PUBLISHED)
                .collectAsList();

        Map<String, List<Row>> byProfile =
                rows.stream().filter(row -> !row.isNullAt(1)).collect(Collectors.groupingBy(row -> row.getString(1)));
        assertThat(byProfile).hasSize(2);
        assertThat(byProfile.values())
                .allSatisfy(nodes -> assertThat(nodes)
                        .extracting(row -> row.<String>getAs("node"))
                        .containsExactly("Gemm_sum0", "Relu_h0", "Gemm_y"));
        assertThat(rows)
                .filteredOn(row -> !row.isNullAt(6))
                .extracting(row -> row.getString(0))
                .containsExactlyInAnyOrder(damaged.toString(), "a:b.onnx");
        assertThatThrownBy(() -> CapabilityTable.check(SPARK, List.of(), List.of("ascend311"), Reading.PUBLISHED))
                .isInstanceOf(ProfileException.class);
    }

    @Test
    void metricsAreThoseOfSpark() {
        long before = ExecutorMetrics.current().rows();
        new ClinferModel()
                .setModel(SampleNetworks.addition())
                .setFeed(Map.of("a", "id", "b", "id"))
                .transform(SPARK.range(0, 50, 1, 2))
                .collectAsList();

        assertThat(ExecutorMetrics.current().rows() - before).isEqualTo(50);
        MetricRegistry registry = new MetricRegistry();
        ExecutorMetrics.current().register(registry);
        assertThat(registry.getGauges().keySet())
                .containsExactlyInAnyOrder(
                        "batches",
                        "deviceMillis",
                        "fallbacks",
                        "recoveries",
                        "rows",
                        "runMillis",
                        "unreadableRows",
                        "waitMillis");
        registry.getGauges((name, metric) -> name.equals("rows"))
                .forEach((name, gauge) -> assertThat(gauge.getValue())
                        .isEqualTo(ExecutorMetrics.current().rows()));
    }
}
