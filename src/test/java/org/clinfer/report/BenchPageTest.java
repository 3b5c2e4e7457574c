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
import org.clinfer.cli.bench.Schedule;
import org.clinfer.cli.bench.StepTrace;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The page of measurements, in a browser without a network. */
class BenchPageTest extends PageTests {

    private static final Path DEMO = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");

    /** The page of a network that is measured on a device so many times. */
    private static List<BenchRecord> page(DeviceChoice device, int models, Optional<DeviceSpeed> speed)
            throws IOException {
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
            BenchPage.write(records, engine.deviceNote(), speed, html);
            assertThat(html.toString()).doesNotContain(" src=", "url(", "fetch(", "innerHTML");
            Path page = Files.createTempFile(pages, "bench", ".html");
            Files.writeString(page, html.toString());
            browser.open(page, "");
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
        List<BenchRecord> records = page(new DeviceChoice.FirstOpenCl(), 2, Optional.of(new DeviceSpeed(100, 10)));
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
        page(new DeviceChoice.Cpu(), 1, Optional.empty());
        assertThat(count(".model")).isEqualTo(1);
        assertThat(count(".slice.host")).isPositive();
        assertThat(count(".slice.kernels")).isZero();
        assertThat(count(".point")).isPositive();
        assertThat(count(".roof")).isZero();
    }
}
