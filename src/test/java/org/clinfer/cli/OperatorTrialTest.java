package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators tried without a model: each kernel of a folder against the CPU, in its types, with tails. */
class OperatorTrialTest {

    private static final String SUMMED = "0 passed, 1 failed, 0 unsupported";

    @TempDir
    private Path folder;

    @BeforeEach
    void write() {
        assertThat(clinfer("new-operator", "Triple", folder).code()).isZero();
    }

    private void change(String file, String from, String to) throws IOException {
        Path path = folder.resolve(file);
        String text = Files.readString(path);
        assertThat(text).contains(from);
        Files.writeString(path, text.replace(from, to));
    }

    private Ran tried(String device) {
        return clinfer("verify", "--operators", folder, "--device", device);
    }

    @RequiresOpenCl
    @Test
    void whatIsRightPassesInAllItsTypes() {
        Ran ran = tried("opencl");
        assertThat(ran.code()).as("%s", ran).isZero();
        assertThat(ran.out())
                .containsExactly(
                        "PASS Triple_ref: 45 uses in float16, bfloat16, float32, float64 are as on the CPU",
                        "1 passed, 0 failed, 0 unsupported");
    }

    /** The last element stays what it was, which is nothing that an earlier run left. */
    @RequiresOpenCl
    @Test
    void aTailThatIsLeftOutIsFound() throws IOException {
        change("triple.json", "[\"floating\"]", "[\"float32\"]");
        change("triple.cl", "i < len", "i < len / 4 * 4");
        Ran ran = tried("opencl");
        assertThat(ran.code()).isEqualTo(ExitCode.NO);
        assertThat(ran.out())
                .first(STRING)
                .matches("FAIL Triple_ref: \\d+ of 1\\d uses: x=7:float32: y: 3 of 7 elements differ, .*");
        assertThat(ran.out()).last(STRING).isEqualTo(SUMMED);
    }

    @RequiresOpenCl
    @Test
    void writesBesideTheOutputAreFound() throws IOException {
        change("triple.json", "[\"floating\"]", "[\"float32\"]");
        change("triple.cl", "i < len", "i <= len");
        change("triple.cl", "load_element(x, i)", "(i < len ? load_element(x, i) : 1)");
        change("triple.json", "ceil_div(x.len, 64) * 64", "x.len + 1");
        assertThat(tried("opencl").out()).first(STRING).endsWith("writes behind the end of y");

        change("triple.cl", "* scale, y, i)", "* scale, y, i == len ? -1 : i)");
        Ran ran = tried("opencl");
        assertThat(ran.out()).first(STRING).endsWith("writes before the begin of y");
        assertThat(ran.err()).containsExactly("trying Triple");

        change("triple.cl", "i == len ? -1 : i", "i == len ? len + 1300 : i");
        assertThat(tried("opencl").out()).first(STRING).endsWith("writes behind the end of y");
    }

    @RequiresOpenCl
    @Test
    void writesIntoInputsAreFound() throws IOException {
        change("triple.json", "[\"floating\"]", "[\"float32\"]");
        change("triple.cl", "__global const STORED *x", "__global STORED *x");
        change("triple.cl", "scale, y, i);", "scale, y, i); if (i == len - 1) store_element(5, x, i);");
        assertThat(tried("opencl").out()).first(STRING).endsWith("writes into its input x");
    }

    /** Without its kernel, and with a size that no memory has. */
    @Test
    void whatNothingComputesIsNoSuccess() throws IOException {
        change("triple.json", "\"arch\": \"opencl\"", "\"arch\": \"cpu\"");
        String description = Files.readString(folder.resolve("triple.json"));
        int kernel = description.indexOf("    {\n      \"optype\": \"Triple_ref\"");
        int host = description.indexOf("    {\n      \"optype\": \"Triple_elements\"");
        assertThat(kernel).isPositive();
        Files.writeString(
                folder.resolve("triple.json"), description.substring(0, kernel) + description.substring(host));
        assertThat(tried("cpu").out()).first(STRING).startsWith("PASS Triple: ").contains("uses are computed");

        change("triple.json", "\"dims\": \"x.dims\"", "\"dims\": \"[100000, 100000]\"");
        assertThat(tried("cpu").out())
                .first(STRING)
                .startsWith("UNSUPPORTED Triple: x=7:float32: ")
                .contains("nothing here can run ");
    }

    /** Only one type is wrong, and only with a parameter that is not the default. */
    @RequiresOpenCl
    @Test
    void parametersAreVaried() throws IOException {
        change("triple.json", "[\"floating\"]", "[\"float32\"]");
        change("triple.cl", "* scale", "* (scale == 0.5f ? 1 : scale)");
        assertThat(tried("opencl").out())
                .first(STRING)
                .startsWith("FAIL Triple_ref: 1 of ")
                .contains("x=7:float32, scale=0.5: y: ");
    }

    @RequiresOpenCl
    @Test
    void aKernelThatDoesNotCompileFailsWithItsLog() throws IOException {
        change("triple.cl", "* scale", "* scaled");
        Ran ran = tried("opencl");
        assertThat(ran.code()).isEqualTo(ExitCode.NO);
        assertThat(ran.out())
                .first(STRING)
                .contains("does not compile: ", "triple.cl:11: ", "'scaled'")
                .hasSizeLessThan(400);
        assertThat(ran.out().get(1)).startsWith("    ").contains("triple.cl:11:", "'scaled'");
        assertThat(ran.out()).last(STRING).isEqualTo(SUMMED);
    }

    /** One type is enough for the rest to be looked at. */
    @RequiresOpenCl
    @Test
    void withoutTheCpuThereIsNothingToCompareWith() throws IOException {
        change("triple.json", "[\"floating\"]", "[\"float32\"]");
        change("triple.json", "\"variant\": \"elements\",", "\"variant\": \"elements\", \"autogen\": false,");
        Ran ran = tried("opencl");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .first(STRING)
                .isEqualTo(
                        "UNSUPPORTED Triple_ref: the CPU does not compute it, so that there is nothing to compare with");
    }

    @Test
    void withoutADeviceNoKernelIsTried() {
        Ran ran = tried("cpu");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .containsExactly(
                        "UNSUPPORTED Triple_ref: everything runs on the CPU, as asked",
                        "0 passed, 0 failed, 1 unsupported");
    }

    @RequiresOpenCl
    @Test
    void aVariantThatTakesNothingIsNoSuccess() throws IOException {
        change("triple.json", "x.len < 2147483648", "x.len > 99999 && x.len < 2147483648");
        assertThat(tried("opencl").out())
                .first(STRING)
                .startsWith("UNSUPPORTED Triple_ref: takes no use, as x=7:float32: ")
                .contains("x.len = 7");
    }

    @Test
    void expressionsForTheCpuAreTried() throws IOException {
        change("triple.json", "element(x, at) * scale", "1 / (x.len - 257) * scale");
        assertThat(tried("cpu").out())
                .anySatisfy(
                        line -> assertThat(line).startsWith("FAIL Triple: ").contains("x=257:", "division by zero"));
    }

    @Test
    void anOperatorWithoutUsesSaysWhy() throws IOException {
        change("triple.json", "\"dims\": \"x.dims\"", "\"dims\": \"x.dims\", \"check\": \"x.len == 1234567\"");
        assertThat(tried("cpu").out())
                .first(STRING)
                .startsWith("UNSUPPORTED Triple_ref: no use of it could be made up (")
                .contains("1234567", "verify a folder with a model and recorded tensors instead");
    }

    @Test
    void withoutAnythingToTryTheUsageIsTold() {
        Ran ran = clinfer("verify");
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).singleElement(STRING).contains("expected DIR with test cases, or --operators DIR");
    }
}
