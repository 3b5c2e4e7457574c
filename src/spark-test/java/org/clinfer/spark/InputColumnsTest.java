package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Columns of numbers, arrays and vectors as inputs; those of other types beside them. */
class InputColumnsTest extends StageTests {

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
}
