package org.clinfer.importer.tensorflow.checkpoint;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.tensorflow.proto.BundleEntryProto;
import org.clinfer.importer.tensorflow.proto.BundleHeaderProto;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.importer.tensorflow.proto.TensorSliceProto;
import org.clinfer.text.Printable;

/**
 * The tensors of a checkpoint by their keys. Their bytes stay in the mapped files where they lie in one piece. Source:
 * tensorflow/core/util/tensor_bundle and protobuf/tensor_bundle.proto.
 */
public final class Checkpoint {

    /** The entry of the table that tells of the files. */
    private static final String HEADER = "";

    private static final int MOST_AXES = 254;

    private final NeighbourFiles files;
    private final String prefix;
    private final SourceRef source;
    private final Map<String, ByteBuffer> table;
    private final BundleHeaderProto header;

    /**
     * Reads the index.
     *
     * @param files the files beside the model
     * @param prefix what the names of the checkpoint's files begin with, relative to the model's folder
     * @throws org.clinfer.importer.MissingFileException if the index is missing
     * @throws GraphException if it is damaged
     */
    public Checkpoint(NeighbourFiles files, String prefix) {
        this.files = files;
        this.prefix = prefix;
        this.source = new SourceRef(prefix + ".index", "");
        this.table = table();
        this.header = entry(HEADER, BundleHeaderProto.parser())
                .orElseThrow(() -> new GraphException(source, "it does not say how many data files there are"));
    }

    private Map<String, ByteBuffer> table() {
        long bytes = files.size(source.file(), source);
        try {
            return SortedTable.read(files.bytes(source.file(), 0, bytes, source));
        } catch (DamagedTableException damaged) {
            throw new GraphException(source, "not a valid index of a checkpoint: " + damaged.getMessage(), damaged);
        }
    }

    private <M> Optional<M> entry(String key, Parser<M> parser) {
        ByteBuffer value = table.get(key);
        if (value == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(parser.parseFrom(value.duplicate()));
        } catch (InvalidProtocolBufferException broken) {
            throw new GraphException(at(key), "its entry is damaged: " + broken.getMessage(), broken);
        }
    }

    private SourceRef at(String key) {
        return new SourceRef(source.file(), "tensor '" + Printable.shortened(key) + "'");
    }

    /** {@return whether there is a tensor of this key} */
    public boolean has(String key) {
        return !key.isEmpty() && table.containsKey(latin(key));
    }

    private static String latin(String key) {
        return SortedTable.text(ByteString.copyFromUtf8(key).toByteArray());
    }

    /**
     * A tensor, or a part of one.
     *
     * @param slice the part as a restoring node names it; empty for the whole tensor
     * @throws org.clinfer.importer.MissingFileException if its data file is missing
     * @throws GraphException if there is no such tensor, or its entry or its data are damaged
     */
    public TensorProto read(String key, String slice) {
        SourceRef at = at(key);
        BundleEntryProto entry = entry(latin(key), BundleEntryProto.parser())
                .orElseThrow(() -> new GraphException(at, "it is not in the checkpoint"));
        long[] sizes = sizes(entry, at);
        int elementBytes = elementBytes(entry.getDtype(), at);
        ByteBuffer whole = entry.getSlicesCount() == 0
                ? stored(entry, bytes(sizes, elementBytes, at), elementBytes, at)
                : joined(key, entry, sizes, elementBytes);
        TensorProto.Builder tensor = TensorProto.newBuilder().setDtype(entry.getDtype());
        if (slice.isEmpty()) {
            return tensor.setTensorShape(entry.getShape())
                    .setTensorContent(UnsafeByteOperations.unsafeWrap(whole))
                    .build();
        }
        Slice box = Slice.parse(slice)
                .filter(parsed -> parsed.within(sizes).isPresent())
                .orElseThrow(() -> new GraphException(at, "it has no part '" + Printable.shortened(slice) + "'"));
        long[] own = box.within(sizes).orElseThrow();
        ByteBuffer part = ByteBuffer.allocate((int) bytes(own, elementBytes, at));
        box.copy(whole, sizes, part, elementBytes, false);
        return tensor.setTensorShape(shape(own))
                .setTensorContent(UnsafeByteOperations.unsafeWrap(part))
                .build();
    }

    /**
     * The bytes of a text without axes; empty if there is none of this key.
     *
     * @throws org.clinfer.importer.MissingFileException if its data file is missing
     * @throws GraphException if its entry or its bytes are damaged
     */
    public Optional<ByteBuffer> text(String key) {
        return has(key)
                ? entry(latin(key), BundleEntryProto.parser()).map(entry -> text(entry, at(key)))
                : Optional.empty();
    }

    private ByteBuffer text(BundleEntryProto entry, SourceRef at) {
        if (entry.getDtype() != DataType.DT_STRING
                || entry.getShape().getDimCount() > 0
                || entry.getSlicesCount() > 0) {
            throw new GraphException(at, "it is no text without axes");
        }
        ByteBuffer data = files.bytes(dataFile(entry, at), entry.getOffset(), entry.getSize(), at)
                .duplicate()
                .order(ByteOrder.LITTLE_ENDIAN);
        try {
            long length = Varints.read(data);
            if (length != data.remaining() - (long) Integer.BYTES) {
                throw new GraphException(at, "its " + entry.getSize() + " bytes are no text of " + length);
            }
            ByteBuffer lengths = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            lengths.putInt(0, (int) length);
            if (MaskedChecksum.of(lengths, data) != entry.getCrc32C()) {
                throw new GraphException(at, "the checksum of its text differs");
            }
            return data.position(data.position() + Integer.BYTES).slice();
        } catch (DamagedTableException damaged) {
            throw new GraphException(at, "its text is damaged: " + damaged.getMessage(), damaged);
        }
    }

    private static TensorShapeProto shape(long[] sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long size : sizes) {
            shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(size));
        }
        return shape.build();
    }

    private static long[] sizes(BundleEntryProto entry, SourceRef at) {
        long[] sizes = entry.getShape().getDimList().stream()
                .mapToLong(TensorShapeProto.Dim::getSize)
                .toArray();
        for (long size : sizes) {
            if (size < 0) {
                throw new GraphException(at, "an axis has the size " + size);
            }
        }
        if (sizes.length > MOST_AXES) {
            throw new GraphException(at, "it has " + sizes.length + " axes");
        }
        return sizes;
    }

    private static int elementBytes(DataType type, SourceRef at) {
        return switch (type) {
            case DT_BOOL, DT_INT8, DT_UINT8, DT_QINT8, DT_QUINT8 -> 1;
            case DT_HALF, DT_BFLOAT16, DT_INT16, DT_UINT16, DT_QINT16, DT_QUINT16 -> 2;
            case DT_FLOAT, DT_INT32, DT_UINT32, DT_QINT32 -> 4;
            case DT_DOUBLE, DT_INT64, DT_UINT64, DT_COMPLEX64 -> 8;
            case DT_COMPLEX128 -> 16;
            default -> {
                String name = type.name().substring(3).toLowerCase(Locale.ROOT);
                throw new UnsupportedException(
                        at, "data type " + name, "it has the data type " + name + ", which Clinfer does not have");
            }
        };
    }

    private static long bytes(long[] sizes, int elementBytes, SourceRef at) {
        long bytes = elementBytes;
        for (long size : sizes) {
            if (size > 0 && bytes > Integer.MAX_VALUE / size) {
                throw new GraphException(at, "it has more than the 2 GB that one tensor can hold");
            }
            bytes *= size;
        }
        return bytes;
    }

    /** The bytes of a tensor, or a part of one, that lies in one piece, the lowest byte of each element first. */
    private ByteBuffer stored(BundleEntryProto entry, long bytes, int elementBytes, SourceRef at) {
        if (entry.getSize() != bytes) {
            throw new GraphException(at, "its elements take " + bytes + " bytes, but it has " + entry.getSize());
        }
        String file = dataFile(entry, at);
        ByteBuffer data = files.bytes(file, entry.getOffset(), bytes, at);
        if (MaskedChecksum.of(data) != entry.getCrc32C()) {
            throw new GraphException(at, "the checksum of its " + bytes + " bytes in '" + file + "' differs");
        }
        return header.getEndianness() == BundleHeaderProto.Endianness.BIG ? turned(data, elementBytes) : data;
    }

    private static ByteBuffer turned(ByteBuffer data, int elementBytes) {
        ByteBuffer turned = ByteBuffer.allocate(data.remaining());
        for (int i = 0; i < turned.capacity(); i++) {
            int element = i / elementBytes * elementBytes;
            turned.put(i, data.get(element + elementBytes - 1 - (i - element)));
        }
        return turned;
    }

    /** A tensor that was saved in parts, each under a key of its own. */
    private ByteBuffer joined(String key, BundleEntryProto entry, long[] sizes, int elementBytes) {
        SourceRef at = at(key);
        long bytes = bytes(sizes, elementBytes, at);
        if (bytes > dataBytes(at)) {
            throw new GraphException(at, "it needs " + bytes + " bytes, more than all data files have");
        }
        ByteBuffer whole = ByteBuffer.allocate((int) bytes);
        long filled = 0;
        for (TensorSliceProto each : entry.getSlicesList()) {
            Slice slice = slice(each);
            long[] own = slice.within(sizes)
                    .orElseThrow(() -> new GraphException(at, "one of its parts is not inside of it"));
            BundleEntryProto part = entry(SliceKey.of(key, slice), BundleEntryProto.parser())
                    .orElseThrow(() -> new GraphException(at, "one of its parts is not in the checkpoint"));
            ByteBuffer box = stored(part, bytes(own, elementBytes, at), elementBytes, at);
            filled += box.remaining();
            slice.copy(whole, sizes, box, elementBytes, true);
        }
        if (filled != bytes) {
            throw new GraphException(at, "its parts have " + filled + " bytes, but it has " + bytes);
        }
        return whole;
    }

    private long dataBytes(SourceRef at) {
        long bytes = 0;
        for (int shard = 0; shard < header.getNumShards(); shard++) {
            bytes += files.size(dataFile(shard), at);
        }
        return bytes;
    }

    private String dataFile(BundleEntryProto entry, SourceRef at) {
        if (entry.getShardId() < 0 || entry.getShardId() >= header.getNumShards()) {
            throw new GraphException(
                    at, "it is in data file " + entry.getShardId() + ", but there are " + header.getNumShards());
        }
        return dataFile(entry.getShardId());
    }

    private String dataFile(int shard) {
        return String.format(Locale.ROOT, "%s.data-%05d-of-%05d", prefix, shard, header.getNumShards());
    }

    private static Slice slice(TensorSliceProto proto) {
        int axes = proto.getExtentCount();
        long[] starts = new long[axes];
        long[] lengths = new long[axes];
        for (int axis = 0; axis < axes; axis++) {
            TensorSliceProto.Extent extent = proto.getExtent(axis);
            starts[axis] = extent.getStart();
            lengths[axis] = extent.hasLength() ? extent.getLength() : Slice.ALL;
        }
        return new Slice(starts, lengths);
    }
}
