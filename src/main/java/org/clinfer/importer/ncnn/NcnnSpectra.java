package org.clinfer.importer.ncnn;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Spectra of frames of a signal, as a convolution with a wave for each frequency. */
final class NcnnSpectra {

    /** Elements of all waves. */
    private static final long MOST_ELEMENTS = 1 << 24;

    private NcnnSpectra() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("Spectrogram", NcnnSpectra::spectrogram);
    }

    /** Frequencies as rows, frames as columns: magnitudes, their squares, or real and imaginary parts. */
    private static Value spectrogram(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        if (NcnnLayerCall.dims(x) != 1) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes instead of one");
        }
        int length = params.size(0, 0, 1);
        int power = params.integer(1, 0);
        if (power < 0 || power > 2) {
            throw params.wrong(1, "expected 0, 1 or 2, found " + power);
        }
        long frequencies = params.flag(8, true) ? length / 2 + 1L : length;
        if (2 * frequencies > MOST_ELEMENTS / length) {
            throw call.unsupportedUse("frames of " + length + " elements, which are too long");
        }
        Value signal = call.reshaped(x, 1, 1, -1);
        if (params.flag(5, true)) {
            long side = length / 2;
            int border = params.integer(6, 2);
            if (border < 0 || border > 2) {
                throw params.wrong(6, "expected 0, 1 or 2, found " + border);
            }
            Params pad = new Params()
                    .put("mode", List.of("CONSTANT", "EDGE", "REFLECT").get(border))
                    .put("pad_with", new long[] {0, 0, 0, 0, side, side});
            signal = call.add("Pad", pad, signal);
        } else {
            params.ignore(6);
        }
        Params frames = new Params()
                .put("strides", new long[] {params.size(2, Math.max(length / 4, 1), 1)})
                .put("pads_begin", new long[] {0})
                .put("pads_end", new long[] {0})
                .put("dilations", new long[] {1})
                .put("data_format", "NCX")
                .put("weights_format", "OIX");
        Value both = call.add("Convolution", frames, signal, waves(call, frequencies, window(params, length)));
        Value real = call.part(both, 1, 0, frequencies);
        Value imaginary = call.part(both, 1, frequencies, 2 * frequencies);
        if (power == 0) {
            Params last = new Params().put("axis", new long[] {3});
            return call.add(
                    "Concat",
                    new Params().put("axis", 3L),
                    call.add("Unsqueeze", last, real),
                    call.add("Unsqueeze", last, imaginary));
        }
        Value squares = call.add("Add", call.add("Mul", real, real), call.add("Mul", imaginary, imaginary));
        return power == 1 ? call.add("Sqrt", squares) : squares;
    }

    /** The factor of each element of a frame. */
    private static double[] window(LayerParams params, int length) {
        int inner = params.size(3, length, 1);
        if (inner > length) {
            throw params.wrong(3, "a window of " + inner + " is longer than a frame of " + length);
        }
        int type = params.integer(4, 0);
        int start = (length - inner) / 2;
        double[] window = new double[length];
        double squares = 0;
        for (int i = 0; i < inner; i++) {
            double turn = Math.cos(2 * Math.PI * i / inner);
            double factor = switch (type) {
                case 0 -> 1;
                case 1 -> 0.5 * (1 - turn);
                case 2 -> 0.54 - 0.46 * turn;
                default -> throw params.wrong(4, "expected 0, 1 or 2, found " + type);
            };
            window[start + i] = factor;
            squares += factor * factor;
        }
        double norm = switch (params.integer(7, 0)) {
            case 0 -> 1;
            case 1 -> 1 / Math.sqrt(length);
            case 2 -> 1 / Math.sqrt(squares);
            default -> throw params.wrong(7, "expected 0, 1 or 2, found " + params.integer(7, 0));
        };
        for (int i = 0; i < length; i++) {
            window[i] *= norm;
        }
        return window;
    }

    /** Cosines, then negative sines: {@code [2 frequencies, 1, length]}. */
    private static Value waves(NcnnLayerCall call, long frequencies, double[] window) {
        int length = window.length;
        Tensor waves = Tensor.allocate(DType.FLOAT32, 2 * frequencies, 1, length);
        for (long frequency = 0; frequency < frequencies; frequency++) {
            for (int i = 0; i < length; i++) {
                double angle = 2 * Math.PI * (double) (frequency * i % length) / length;
                waves.setDouble(frequency * length + i, window[i] * Math.cos(angle));
                waves.setDouble((frequencies + frequency) * length + i, -window[i] * Math.sin(angle));
            }
        }
        return call.constant("waves", waves);
    }
}
