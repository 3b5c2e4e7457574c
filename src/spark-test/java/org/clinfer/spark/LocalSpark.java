package org.clinfer.spark;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Spark in this process, with two tasks at a time, for all tests. */
final class LocalSpark {

    private static final SparkSession SESSION = SparkSession.builder()
            .master("local[2]")
            .appName("tests")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.adaptive.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.plugins", "org.clinfer.spark.ClinferPlugin")
            .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/clinfer-spark-warehouse")
            .getOrCreate();

    private LocalSpark() {}

    static SparkSession session() {
        return SESSION;
    }

    /** A table with a column {@code id} of row numbers and a column {@code name} of these values. */
    static Dataset<Row> table(String name, DataType type, List<?> values) {
        StructType schema = new StructType().add("id", DataTypes.IntegerType).add(name, type, true);
        List<Row> rows = new java.util.ArrayList<>();
        for (Object value : values) {
            rows.add(RowFactory.create(rows.size(), value));
        }
        return SESSION.createDataFrame(
                JavaSparkContext.fromSparkContext(SESSION.sparkContext()).parallelize(rows, 3), schema);
    }
}
