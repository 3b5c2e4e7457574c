package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.cli.bench.BenchPage;
import org.clinfer.cli.bench.BenchRecord;
import org.clinfer.cli.bench.Benchmark;
import org.clinfer.cli.bench.SavedBench;
import org.clinfer.cli.bench.Schedule;
import org.clinfer.cli.bench.StepTrace;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The page of measurements, in a browser without a network. */
class BenchPageTest extends PageTests {

    private static final Path DEMO = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");

    /** The page that was opened last. */
    private static Path latest = DEMO;

    /** The page of a network that is measured on a device so many times. */
    private static List<BenchRecord> page(
            DeviceChoice device, int models, Optional<DeviceSpeed> speed, List<JsonNode> saved) throws IOException {
        StepTrace steps = new StepTrace();
        List<BenchRecord> records = new ArrayList<>();
        try (Engine engine = Engine.open(
                EngineOptions.defaults().withDevice(device).withTrust(true).withTrace(steps))) {
            Benchmark benchmark = new Benchmark(
                    new Schedule(Optional.of(2), Optional.of(0)), 1, Optional.empty(), true, Optional.of(steps));
            for (int i = 0; i < models; i++) {
                records.add(benchmark.of(
                        engine, DEMO, model -> Map.of("image", Tensor.allocate(DType.FLOAT32, 1, 3, 192, 192))));
            }
            StringWriter html = new StringWriter();
            BenchPage.write(records, saved, engine.deviceNote(), speed, html);
            assertThat(html.toString()).doesNotContain(" src=", "url(", "fetch(", "innerHTML");
            Path page = Files.createTempFile(pages, "bench", ".html");
            Files.writeString(page, html.toString());
            browser.open(page, "");
            latest = page;
        }
        return records;
    }

    private static String hint(String selector) {
        return browser.evaluate("(() => { document.querySelector('" + selector + "').focus();"
                + " const hint = document.getElementById('hint'); return hint.hidden ? '' : hint.innerText; })()");
    }

    @Test
    @RequiresOpenCl
    void twoRunsStandSideBySide() throws IOException {
        List<BenchRecord> records =
                page(new DeviceChoice.FirstOpenCl(), 2, Optional.of(new DeviceSpeed(100, 10)), List.of());
        assertThat(count(".model")).isEqualTo(2);
        assertThat(browser.evaluate("String(Math.abs(document.querySelectorAll('.model')[0].getBoundingClientRect().top"
                        + " - document.querySelectorAll('.model')[1].getBoundingClientRect().top) < 1)"))
                .as("beside one another")
                .isEqualTo("true");
        int rows = records.stream()
                .mapToInt(record -> record.operators().orElseThrow().rows().size())
                .sum();
        assertThat(count(".bar")).isEqualTo(rows);
        assertThat(hint(".bar")).containsPattern("\\d+ nodes, [0-9.]+ ms");
        assertThat(count(".slice.host")).isPositive();
        assertThat(count(".slice.kernels")).isPositive();
        assertThat(hint(".slice.kernels")).contains("µs at");
        assertThat(count(".roof")).isEqualTo(2);
        long counted = records.stream()
                .flatMap(record -> record.steps().oneByOne().stream())
                .filter(step -> step.work().size() == 1 && step.multiplyAdds().orElse(0) > 0)
                .count();
        assertThat(count(".point")).isEqualTo((int) counted).isPositive();
        assertThat(hint(".point")).contains("Conv2d").contains("GFLOP/s").contains("GB/s");
        assertThat(hint(".area")).containsPattern("at most [1-9][0-9.]* MiB");
        assertThat(text("#device")).contains("at most 100 GFLOP/s, 10 GB/s");
        assertThat(browser.evaluate("String([...document.querySelectorAll('svg *')].some((element) =>"
                        + " [...element.attributes].some((each) => each.value.includes('NaN'))))"))
                .isEqualTo("false");
    }

    @Test
    void theCpuHasNodesAndNoRoof() throws IOException {
        page(new DeviceChoice.Cpu(), 1, Optional.empty(), List.of());
        assertThat(count(".model")).isEqualTo(1);
        assertThat(count(".slice.host")).isPositive();
        assertThat(count(".slice.kernels")).isZero();
        assertThat(count(".point")).isPositive();
        assertThat(count(".roof")).isZero();
    }

    /** A model of another run, in which the convolutions took so long. */
    private static Path savedJson(double millis) throws IOException {
        Path file = Files.createTempFile(pages, "saved", ".json");
        Files.writeString(file, """
                {"peak_gflops": 50.0, "copy_gb_per_s": 5.0, "models": [{
                  "model": "elsewhere/shapes.onnx", "device": "<b>old device</b>", "median_ms": %s, "runs": 7,
                  "launches": 70, "transfers": 3, "gflops": null,
                  "operators": [
                    {"operator": "Conv2d", "target": "opencl", "variant": "direct", "nodes": 3, "ms": %s},
                    {"operator": "LRN", "target": "cpu", "variant": "", "nodes": 1, "ms": 0.001}],
                  "nodes": [{"node": "conv1", "op": "Conv2d", "variant": "direct", "us": 100.0,
                    "multiply_adds": 1000000, "bytes": 400000}]}]}
                """.formatted(millis, millis));
        return file;
    }

    @Test
    void aSavedRunStandsBesideTheModelAndWhatChangedAboveBoth() throws IOException {
        List<JsonNode> saved = SavedBench.read(savedJson(50_000));
        page(new DeviceChoice.Cpu(), 1, Optional.empty(), saved);
        assertThat(count(".model")).isEqualTo(2);
        assertThat(browser.evaluate("String(Math.abs(document.querySelectorAll('.model')[0].getBoundingClientRect().top"
                        + " - document.querySelectorAll('.model')[1].getBoundingClientRect().top) < 1)"))
                .as("beside one another")
                .isEqualTo("true");
        assertThat(text(".saved")).contains("before, from").contains("<b>old device</b>; at most 50 GFLOP/s");
        assertThat(text(".model")).contains("70 launches, 3 transfers").contains("was not saved");
        assertThat(count(".changes")).isEqualTo(1);
        assertThat(text(".changes tbody tr"))
                .startsWith("Conv2d ×3 → 7 (direct → ")
                .contains("50000");
        assertThat(browser.evaluate("document.querySelector('.changes tbody tr').className"))
                .isEqualTo("less");
        assertThat(text(".changes")).contains("LRN ×1 → 0 (cpu → none)").contains("median ms");
        assertThat(text(".changes")).as("null is no number").doesNotContain("GFLOP/s");
        assertThat(count(".roof")).isEqualTo(1);
        assertThat(count(".model:first-child .point")).isEqualTo(1);
        assertThat(browser.evaluate("String([...document.querySelectorAll('svg *')].some((element) =>"
                        + " [...element.attributes].some((each) => each.value.includes('NaN'))))"))
                .isEqualTo("false");
    }

    @Test
    void aPageIsASavedRunItselfAndHasWhatItWasWrittenFor() throws IOException {
        page(new DeviceChoice.Cpu(), 1, Optional.empty(), SavedBench.read(savedJson(1)));
        List<JsonNode> again = SavedBench.read(latest);
        assertThat(again).hasSize(1);
        assertThat(again.get(0).get("model").asString()).isEqualTo(DEMO.toString());
        page(new DeviceChoice.Cpu(), 1, Optional.empty(), again);
        assertThat(count(".model")).isEqualTo(2);
        assertThat(count(".slice.host")).isPositive();
        assertThat(text(".model")).contains("before, from").doesNotContain("was not saved");
        assertThat(text(".changes")).contains("values on the host, bytes").contains("none");
    }
}
