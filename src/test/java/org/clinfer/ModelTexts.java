package org.clinfer;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Models in formats of text, made of layers that follow one another from an input {@code x} of 1 x 3 x 8 x 8. A layer is its
 * name and its type: {@code r Relu}.
 */
final class ModelTexts {

    private ModelTexts() {}

    static String openvino(String... layers) {
        String port = "<port id=\"%d\" precision=\"FP32\"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port>";
        String input = "<input>" + port.formatted(0) + "</input>";
        String output = "<output>" + port.formatted(1) + "</output>";
        String edge = "<edge from-layer=\"%d\" from-port=\"1\" to-layer=\"%d\" to-port=\"0\"/>\n";
        StringBuilder text = new StringBuilder("<net name=\"test\" version=\"11\"><layers>\n")
                .append("<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">")
                .append("<data shape=\"1,3,8,8\" element_type=\"f32\"/>" + output + "</layer>\n");
        for (int i = 0; i < layers.length; i++) {
            String[] layer = layers[i].split(" ", -1);
            text.append("<layer id=\"%d\" name=\"%s\" type=\"%s\" version=\"opset1\">"
                            .formatted(i + 1, layer[0], layer[1]))
                    .append(input + output + "</layer>\n");
        }
        text.append("<layer id=\"%d\" name=\"y\" type=\"Result\" version=\"opset1\">".formatted(layers.length + 1))
                .append(input + "</layer>\n</layers><edges>\n");
        for (int i = 0; i <= layers.length; i++) {
            text.append(edge.formatted(i, i + 1));
        }
        return text + "</edges></net>\n";
    }

    static String json(String... layers) {
        List<String[]> all =
                List.of(layers).stream().map(layer -> layer.split(" ", -1)).toList();
        String middle = IntStream.range(0, layers.length)
                .mapToObj(i ->
                        """
                        {"name": "%s", "optype": "%s", "tensors_in": [{"arg_name": "x", "name": "%s"}],
                         "tensors_out": [{"arg_name": "y", "name": "%s"}]},
                        """.formatted(all.get(i)[0], all.get(i)[1], i == 0 ? "x" : all.get(i - 1)[0], all.get(i)[0]))
                .collect(Collectors.joining());
        return """
                {"name": "test", "ops": [
                {"name": "x", "optype": "Input", "tensors_out": [{"arg_name": "y", "name": "x"}],
                 "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": [1, 3, 8, 8]}]},
                %s{"name": "y", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "%s"}]}]}
                """.formatted(middle, all.get(layers.length - 1)[0]);
    }
}
