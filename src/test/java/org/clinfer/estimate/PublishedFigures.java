package org.clinfer.estimate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.clinfer.CapabilityChecker;
import org.clinfer.check.CheckReport;
import org.clinfer.check.NetworkCost;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The times of {@code test-data/costs/published.json}, each beside the estimate of the network on that device. */
final class PublishedFigures {

    private static final Path FILE = Path.of("test-data", "costs", "published.json");

    /**
     * A time that somebody published.
     *
     * @param profile the profile, with the figures of {@code speed}
     * @param by the kind of figure: measured, or the estimate or model of the vendor's tool
     * @param speed figures of the profile that the publication has otherwise
     * @param publishedMillis what was published
     * @param estimatedMillis what the report says
     */
    record Figure(
            String family,
            String profileName,
            DeviceProfile profile,
            DType float32As,
            String by,
            String source,
            Map<String, String> speed,
            String network,
            int size,
            int batch,
            double publishedMillis,
            double estimatedMillis) {

        /** How far the estimate is from what was published, as a part of that. */
        double error() {
            return Math.abs(estimatedMillis / publishedMillis - 1);
        }
    }

    private PublishedFigures() {}

    /** All figures, in the order of the file. */
    static List<Figure> read() {
        List<Figure> figures = new ArrayList<>();
        try {
            for (JsonNode group : JsonMapper.shared().readTree(Files.readString(FILE))) {
                Map<String, String> speed = new LinkedHashMap<>();
                group.path("speed")
                        .properties()
                        .forEach(entry ->
                                speed.put(entry.getKey(), entry.getValue().asString()));
                DeviceProfile profile = profile(group.get("profile").asString(), speed);
                for (JsonNode figure : group.get("figures")) {
                    figures.add(figure(group, figure, profile, speed));
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return figures;
    }

    private static Figure figure(JsonNode group, JsonNode figure, DeviceProfile profile, Map<String, String> speed) {
        String network = figure.get("network").asString();
        DType float32As = DType.of(group.get("float32_as").asString()).orElseThrow();
        int batch = figure.path("batch").asInt(1);
        int size = figure.get("size").asInt();
        return new Figure(
                group.get("family").asString(),
                group.get("profile").asString(),
                profile,
                float32As,
                group.get("by").asString(),
                group.get("source").asString(),
                speed,
                network,
                size,
                batch,
                figure.get("ms").asDouble(),
                estimate(network, batch, size, profile, float32As));
    }

    private static double estimate(String network, int batch, int size, DeviceProfile profile, DType float32As) {
        CheckReport report = CapabilityChecker.builtIn()
                .withFloat32As(float32As)
                .check(PublishedNetworks.of(network, batch, size), Map.of(), profile, Reading.DOCUMENT);
        if (report.summary().nodesOnDevice() != report.summary().nodes()) {
            throw new IllegalStateException(network + " is not all on " + profile.name());
        }
        NetworkCost.Total total = report.cost().total().orElseThrow();
        return total.millis().orElseThrow();
    }

    /** A profile with other figures. */
    private static DeviceProfile profile(String name, Map<String, String> speed) throws IOException {
        if (speed.isEmpty()) {
            return ProfileCatalog.builtIn().find(name);
        }
        String text = Files.readString(Path.of("device-profiles", name + ".ini"));
        for (Map.Entry<String, String> figure : speed.entrySet()) {
            Pattern line = Pattern.compile("(?m)^" + figure.getKey() + " = .*$");
            if (!line.matcher(text).find()) {
                throw new IllegalStateException(name + " has no " + figure.getKey());
            }
            text = line.matcher(text).replaceFirst(figure.getKey() + " = " + figure.getValue());
        }
        Path file = Files.createTempFile(name, ".ini");
        try {
            return ProfileCatalog.builtIn().read(Files.writeString(file, text));
        } finally {
            Files.delete(file);
        }
    }
}
