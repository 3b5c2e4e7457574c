package org.clinfer.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A program of a user, in a process of its own with Spark's jars before Clinfer's. */
final class ClusterProgram {

    private static final int ROWS = 600;
    private static final int KILLED = 450;

    private ClusterProgram() {}

    /**
     * Prints a line {@code row ID VALUE} for each row of a table that {@code sum} of arrays was computed of, while an
     * executor dies in the middle if asked for; then lines about libraries.
     *
     * @param args the master, the model, the jar, and {@code kill} or {@code live}
     */
    public static void main(String[] args) throws IOException {
        String mark = args[3].equals("kill") ? args[1] + ".died" : "";
        try (SparkSession spark = SparkSession.builder()
                .master(args[0])
                .appName("cluster")
                .config("spark.jars", args[2])
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.plugins", "org.clinfer.spark.ClinferPlugin")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.executor.memory", "512m")
                .config(
                        "spark.sql.warehouse.dir",
                        Path.of(args[1]).resolveSibling("warehouse").toString())
                .getOrCreate()) {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                rows.add(RowFactory.create(i, new Float[] {(float) i, 1f}));
            }
            StructType schema = new StructType()
                    .add("id", DataTypes.IntegerType)
                    .add("x", DataTypes.createArrayType(DataTypes.FloatType, false));
            Dataset<Row> table = spark.createDataFrame(
                            JavaSparkContext.fromSparkContext(spark.sparkContext())
                                    .parallelize(rows, 8),
                            schema)
                    .map((MapFunction<Row, Row>) row -> dyingAt(row, mark), Encoders.row(schema));
            ClinferModel model =
                    new ClinferModel().setModel(args[1]).setDevice("cpu").setBatchSize(7);
            for (Row row : model.transform(table).collectAsList()) {
                System.out.println("row " + row.getInt(0) + " " + row.<Float>getAs("y"));
            }
            System.out.println("executors "
                    + spark.range(0, 200, 1, 20)
                            .map((MapFunction<Long, String>) i -> place(), Encoders.STRING())
                            .distinct()
                            .collectAsList());
        }
    }

    /** The executor ends at once where one gets to this row for the first time. */
    private static Row dyingAt(Row row, String mark) {
        if (!mark.isEmpty() && row.getInt(0) == KILLED && new File(mark).mkdir()) {
            Runtime.getRuntime().halt(9);
        }
        return row;
    }

    private static String place() throws ClassNotFoundException {
        Class<?> protobuf = Class.forName("com.google.protobuf.Message");
        return org.apache.spark.SparkEnv.get().executorId() + " "
                + Path.of(protobuf.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getPath())
                        .getFileName();
    }
}
