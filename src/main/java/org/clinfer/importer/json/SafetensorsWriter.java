package org.clinfer.importer.json;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.Tensor;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/** Writes safetensors files, the tensors of the widest elements first, so that all are aligned. */
final class SafetensorsWriter {

    private static final JsonFactory FACTORY = new JsonFactory();

    private SafetensorsWriter() {}

    /** {@return whether the format can hold a tensor under a name} */
    static boolean canHold(String name) {
        return !name.equals(SafetensorsHeader.METADATA);
    }

    /** Writes tensors that {@link #canHold} allows; the stream stays open. */
    static void write(Map<String, Tensor> tensors, OutputStream out) throws IOException {
        List<Map.Entry<String, Tensor>> ordered = new ArrayList<>(tensors.entrySet());
        ordered.sort(Comparator.comparingInt((Map.Entry<String, Tensor> each) ->
                        each.getValue().dtype().bits())
                .reversed());
        byte[] header = header(ordered);
        int padding = Math.floorMod(-header.length, SafetensorsHeader.LENGTH_BYTES);
        ByteBuffer length = ByteBuffer.allocate(SafetensorsHeader.LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        length.putLong(header.length + padding);
        out.write(length.array());
        out.write(header);
        out.write(" ".repeat(padding).getBytes(StandardCharsets.US_ASCII));
        WritableByteChannel channel = Channels.newChannel(out);
        for (Map.Entry<String, Tensor> each : ordered) {
            ByteBuffer data = each.getValue().bytes();
            while (data.hasRemaining()) {
                channel.write(data);
            }
        }
    }

    private static byte[] header(List<Map.Entry<String, Tensor>> tensors) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            long at = 0;
            for (Map.Entry<String, Tensor> each : tensors) {
                Tensor tensor = each.getValue();
                json.writeName(each.getKey());
                json.writeStartObject();
                json.writeStringProperty("dtype", SafetensorsType.stored(tensor.dtype()));
                json.writeName("shape");
                long[] sizes = SafetensorsType.stored(tensor.type()).sizes();
                json.writeArray(sizes, 0, sizes.length);
                json.writeName("data_offsets");
                long end = at + tensor.type().bytes();
                json.writeArray(new long[] {at, end}, 0, 2);
                json.writeEndObject();
                at = end;
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
