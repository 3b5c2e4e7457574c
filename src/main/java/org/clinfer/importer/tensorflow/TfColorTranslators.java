package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Colors between red, green and blue, and hue, saturation and brightness; a hue of 1 is all around. */
final class TfColorTranslators {

    /** Parts of the circle of hues, in each of which one color rises or falls. */
    private static final double SECTORS = 6;

    private final TfCall call;
    private final TfValue x;
    private final DType type;
    private final Params axis;

    private TfColorTranslators(TfCall call) {
        this.call = call;
        this.x = call.input(0);
        this.type = call.dtype(x);
        int rank = call.rank(x);
        if (rank == 0 || x.size(rank - 1).filter(size -> size != 3).isPresent()) {
            throw call.malformed("its input must have 3 channels");
        }
        this.axis = new Params().put("axis", x.second() ? 1L : rank - 1L);
    }

    static Map<String, TfTranslator> all() {
        return Map.of(
                "RGBToHSV", call -> new TfColorTranslators(call).toHue(),
                "HSVToRGB", call -> new TfColorTranslators(call).fromHue(),
                "AdjustHue", call -> new TfColorTranslators(call).turned(),
                "AdjustSaturation", call -> new TfColorTranslators(call).saturated());
    }

    /**
     * A color by its hue, in sectors.
     *
     * @param most the largest of red, green and blue
     * @param range from the smallest of them to the largest
     */
    private record Color(String hue, String most, String range) {}

    private String number(double value) {
        return call.scalar(type, value);
    }

    private List<String> channels() {
        Params parts = new Params().put("split", new long[] {1, 1, 1}).put("num_outputs", 3L);
        axis.map().forEach(parts::put);
        return call.steps("Split", List.of(x.stored()), parts, 3);
    }

    private void give(String... channels) {
        call.give("Concat", List.of(channels), axis, x.second());
    }

    /** The saturation: 0 where the largest channel is not above 0. */
    private String saturation(Color color) {
        String bright = call.step("Less", number(0), color.most());
        String divisor = call.step("Where", bright, color.most(), number(1));
        return call.step("Where", bright, call.step("Div", color.range(), divisor), number(0));
    }

    private Color color() {
        List<String> channels = channels();
        String most = call.step("Max", call.step("Max", channels.get(0), channels.get(1)), channels.get(2));
        String least = call.step("Min", call.step("Min", channels.get(0), channels.get(1)), channels.get(2));
        String range = call.step("Sub", most, least);
        String divisor = call.step("Where", call.step("Equal", range, number(0)), number(1), range);
        List<String> hues = IntStream.range(0, 3)
                .mapToObj(i -> {
                    String difference = call.step("Sub", channels.get((i + 1) % 3), channels.get((i + 2) % 3));
                    String sectors = call.step("Div", difference, divisor);
                    return i == 0 ? sectors : call.step("Add", sectors, number(2 * i));
                })
                .toList();
        String greenOrBlue = call.step("Where", call.step("Equal", channels.get(1), most), hues.get(1), hues.get(2));
        String hue = call.step("Where", call.step("Equal", channels.get(0), most), hues.get(0), greenOrBlue);
        String around = call.step("Add", hue, number(SECTORS));
        return new Color(call.step("Where", call.step("Less", hue, number(0)), around, hue), most, range);
    }

    /** Gives red, green and blue: each is nearest to the largest around a sector of its own. */
    private void give(Color color) {
        Params bounds = new Params().put("min", 0.0).put("max", 1.0);
        String least = call.step("Sub", color.most(), color.range());
        String[] channels = new String[3];
        for (int i = 0; i < channels.length; i++) {
            String distance = call.step("Abs", call.step("Sub", color.hue(), number(i == 0 ? 3 : 2 * i)));
            String share = i == 0 ? call.step("Sub", distance, number(1)) : call.step("Sub", number(2), distance);
            String within = call.step("Clip", List.of(share), bounds);
            channels[i] = call.step("Add", least, call.step("Mul", color.range(), within));
        }
        give(channels);
    }

    private void toHue() {
        Color color = color();
        give(call.step("Mul", color.hue(), number(1 / SECTORS)), saturation(color), color.most());
    }

    private void fromHue() {
        List<String> channels = channels();
        String most = channels.get(2);
        String hue = call.step("Mul", channels.get(0), number(SECTORS));
        give(new Color(hue, most, call.step("Mul", channels.get(1), most)));
    }

    private void turned() {
        Color color = color();
        String turn = call.step("Mul", call.cast(call.plain(1), type), number(SECTORS));
        String hue = call.step("Mod", call.step("Add", color.hue(), turn), number(SECTORS));
        give(new Color(hue, color.most(), color.range()));
    }

    private void saturated() {
        Color color = color();
        String factor = call.cast(call.plain(1), type);
        Params bounds = new Params().put("min", 0.0).put("max", 1.0);
        String saturation = call.step("Clip", List.of(call.step("Mul", saturation(color), factor)), bounds);
        give(new Color(color.hue(), color.most(), call.step("Mul", saturation, color.most())));
    }
}
