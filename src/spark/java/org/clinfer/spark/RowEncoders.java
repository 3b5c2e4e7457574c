package org.clinfer.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoder;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.encoders.RowEncoder;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Encoders of rows in which arrays of numbers are Java's arrays, which Spark copies as a whole. The usual ones have a boxed
 * object for each element.
 */
final class RowEncoders {

    private static final String ROW = "row";

    private RowEncoders() {}

    /** {@return the table with all its columns in one, of which {@link #of} makes rows in rows} */
    static Dataset<Row> nested(Dataset<?> table) {
        return table.toDF().select(functions.struct(functions.col("*")).as(ROW));
    }

    /** {@return the table with the columns that are in the one that {@link #of} makes} */
    static Dataset<Row> flat(Dataset<Row> table) {
        return table.select(ROW + ".*");
    }

    /**
     * {@return an encoder of rows that have a row of this schema} Were they this row itself, Spark would hand it on to and from
     * the functions of users without any encoder between, and these expect other arrays.
     *
     * @param columns those whose arrays are Java's, where their elements are never null
     */
    static Encoder<Row> of(StructType schema, Set<String> columns) {
        StructType nested = new StructType().add(ROW, schema, false);
        AgnosticEncoders.EncoderField outer =
                fields(RowEncoder.encoderFor(nested)).get(0);
        List<AgnosticEncoders.EncoderField> fields = new ArrayList<>();
        for (AgnosticEncoders.EncoderField field : fields(outer.enc())) {
            DataType type = schema.apply(field.name()).dataType();
            Optional<AgnosticEncoder<?>> primitive =
                    columns.contains(field.name()) ? primitive(type) : Optional.empty();
            fields.add(primitive.map(encoder -> with(field, encoder)).orElse(field));
        }
        // Spark 3.5 takes no other encoders
        return ExpressionEncoder.apply(row(List.of(with(outer, row(fields)))));
    }

    private static List<AgnosticEncoders.EncoderField> fields(AgnosticEncoder<?> encoder) {
        return CollectionConverters.asJava(((AgnosticEncoders.RowEncoder) encoder).fields());
    }

    private static AgnosticEncoders.RowEncoder row(List<AgnosticEncoders.EncoderField> fields) {
        return new AgnosticEncoders.RowEncoder(
                CollectionConverters.asScala(fields).toSeq());
    }

    private static AgnosticEncoders.EncoderField with(AgnosticEncoders.EncoderField field, AgnosticEncoder<?> encoder) {
        return new AgnosticEncoders.EncoderField(
                field.name(), encoder, field.nullable(), field.metadata(), field.readMethod(), field.writeMethod());
    }

    private static Optional<AgnosticEncoder<?>> primitive(DataType type) {
        if (!(type instanceof ArrayType array) || array.containsNull()) {
            return Optional.empty();
        }
        return element(array.elementType()).map(element -> new AgnosticEncoders.ArrayEncoder<>(element, false));
    }

    private static Optional<AgnosticEncoder<?>> element(DataType type) {
        if (type.equals(DataTypes.FloatType)) {
            return Optional.of(AgnosticEncoders.PrimitiveFloatEncoder$.MODULE$);
        }
        if (type.equals(DataTypes.DoubleType)) {
            return Optional.of(AgnosticEncoders.PrimitiveDoubleEncoder$.MODULE$);
        }
        if (type.equals(DataTypes.IntegerType)) {
            return Optional.of(AgnosticEncoders.PrimitiveIntEncoder$.MODULE$);
        }
        if (type.equals(DataTypes.LongType)) {
            return Optional.of(AgnosticEncoders.PrimitiveLongEncoder$.MODULE$);
        }
        if (type.equals(DataTypes.ShortType)) {
            return Optional.of(AgnosticEncoders.PrimitiveShortEncoder$.MODULE$);
        }
        if (type.equals(DataTypes.ByteType)) {
            return Optional.of(AgnosticEncoders.PrimitiveByteEncoder$.MODULE$);
        }
        if (type.equals(DataTypes.BooleanType)) {
            return Optional.of(AgnosticEncoders.PrimitiveBooleanEncoder$.MODULE$);
        }
        return Optional.empty();
    }
}
