package org.clinfer.importer.onnx.export;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The table of ONNX writers, by canonical operator. */
final class WriterTable {

    private final Map<String, NodeWriter> writers = new HashMap<>();

    WriterTable() {
        writers.putAll(DirectWriters.all()); // first, because some have to be said otherwise
        writers.putAll(ConvolutionWriters.all());
        writers.putAll(TransposedConvolutionWriters.all());
        writers.putAll(PoolingWriters.all());
        writers.putAll(NormalizationWriters.all());
        writers.putAll(ElementWriters.all());
        writers.putAll(BroadcastWriters.all());
        writers.putAll(MatrixWriters.all());
        writers.putAll(BlockWriters.all());
        writers.putAll(SelectionWriters.all());
        writers.putAll(CountedWriters.all());
        writers.putAll(ResizeWriters.all());
        writers.putAll(RecurrentWriters.all());
        writers.putAll(QuantizationWriters.all());
        writers.putAll(ConstantWriters.all());
        writers.putAll(ComposedWriters.all());
    }

    Optional<NodeWriter> find(String operator) {
        return Optional.ofNullable(writers.get(operator));
    }
}
