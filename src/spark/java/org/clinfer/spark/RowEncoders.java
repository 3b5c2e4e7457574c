package org.clinfer.spark;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Encoders of rows that have one value, a row in Spark's own format. The usual ones make a boxed object of each element. */
final class RowEncoders {

    private static final String ROW = "row";

    private RowEncoders() {}

    /** {@return the table with all its columns in one, of which {@link #of} makes rows in rows} */
    static Dataset<Row> nested(Dataset<?> table) {
        return table.toDF().select(functions.struct(functions.col("*")).as(ROW));
    }

    /** {@return the table with the columns that are in the one that {@link #of} makes} */
    static Dataset<Row> flat(Dataset<Row> table) {
        return table.select(functions.unwrap_udt(functions.col(ROW)).as(ROW)).select(ROW + ".*");
    }

    /** {@return an encoder of rows that have a row of this schema, an {@link InternalRow}} */
    static Encoder<Row> of(StructType schema) {
        AgnosticEncoders.EncoderField row = new AgnosticEncoders.EncoderField(
                ROW,
                new AgnosticEncoders.UDTEncoder<>(new InternalRowType(schema), InternalRowType.class),
                false,
                Metadata.empty(),
                Option.empty(),
                Option.empty());
        // Spark 3.5 takes no other encoders
        return ExpressionEncoder.apply(new AgnosticEncoders.RowEncoder(
                CollectionConverters.asScala(List.of(row)).toSeq()));
    }
}
