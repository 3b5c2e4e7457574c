package org.clinfer.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;

/**
 * The type by which Spark hands whole rows to a function and takes them back in its own format, with no object for an element.
 * The code that Spark generates creates instances; programs have no use for it.
 */
public final class InternalRowType extends UserDefinedType<InternalRow> {

    private static final long serialVersionUID = 1L;

    private final StructType schema;

    /** Creates a converter, which needs no schema. */
    public InternalRowType() {
        this(new StructType());
    }

    /** @param schema of the rows */
    InternalRowType(StructType schema) {
        this.schema = schema;
    }

    @Override
    public DataType sqlType() {
        return schema;
    }

    @Override
    public Object serialize(InternalRow row) {
        return row;
    }

    /** {@return the row itself, whose memory may be used again for the next} */
    @Override
    public InternalRow deserialize(Object row) {
        return (InternalRow) row;
    }

    @Override
    public Class<InternalRow> userClass() {
        return InternalRow.class;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InternalRowType type && type.schema.equals(schema);
    }

    @Override
    public int hashCode() {
        return schema.hashCode();
    }
}
