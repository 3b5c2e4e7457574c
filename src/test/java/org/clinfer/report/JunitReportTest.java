package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The report as build servers read it. */
class JunitReportTest {

    private static Document parsed(List<CheckReport> reports, ReportOptions options)
            throws ParserConfigurationException, IOException, SAXException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        String xml = ReportFormat.JUNIT.write(reports, options);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    private static List<Element> elements(Document document, String name) {
        NodeList found = document.getElementsByTagName(name);
        return java.util.stream.IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    private static void assertCounted(Document document) {
        for (Element suite : elements(document, "testsuite")) {
            assertThat(suite.getElementsByTagName("testcase").getLength())
                    .isEqualTo(Integer.parseInt(suite.getAttribute("tests")));
            assertThat(suite.getElementsByTagName("failure").getLength())
                    .isEqualTo(Integer.parseInt(suite.getAttribute("failures")));
            assertThat(suite.getElementsByTagName("skipped").getLength())
                    .isEqualTo(Integer.parseInt(suite.getAttribute("skipped")));
        }
    }

    @Test
    void whatFailsTheBuildIsAFailureAndTheRestIsSkipped() throws Exception {
        Document plain = parsed(Examples.twoDevices(), ReportOptions.defaults());
        assertCounted(plain);
        assertThat(elements(plain, "testsuite"))
                .extracting(suite -> suite.getAttribute("name"))
                .containsExactly("net (net.onnx) on Vendor SoC 1 (soc1)", "net (net.onnx) on Vendor SoC 2 (soc2)");
        assertThat(elements(plain, "failure"))
                .extracting(failure -> failure.getAttribute("type"))
                .containsExactly("invalid", "invalid");

        ReportOptions strict =
                ReportOptions.defaults().withFailing(Set.of(Verdict.INVALID, Verdict.FALLS_BACK, Verdict.UNSUPPORTED));
        Document failing = parsed(Examples.twoDevices(), strict);
        assertCounted(failing);
        assertThat(elements(failing, "failure"))
                .extracting(failure -> failure.getAttribute("type"))
                .containsExactly("falls-back", "falls-back", "unsupported", "invalid", "unsupported", "invalid");
        assertThat(elements(failing, "failure").get(0).getAttribute("message"))
                .isEqualTo("falls-back: the kernel does not fit (kernel_h <= 16: 17 > 16)");
        assertThat(elements(failing, "failure").get(0).getTextContent())
                .contains(
                        "soc/conv2d/kernel: ",
                        "set by soc.ini:DPU:kernel_max",
                        "would pass with kernel_size[0] 17 -> 16");
        assertThat(elements(failing, "skipped"))
                .extracting(skipped -> skipped.getAttribute("message"))
                .allMatch(message -> message.startsWith("unknown: "));
    }

    @Test
    void testsAreNamedByProfileModelAndNode() throws Exception {
        List<CheckReport> reports = List.of(Examples.report("net.v2", "SoC", "soc-1.5", Examples.everyVerdict()));
        Element first =
                elements(parsed(reports, ReportOptions.defaults()), "testcase").get(0);
        assertThat(first.getAttribute("classname")).isEqualTo("soc-1_5.net_v2");
        assertThat(first.getAttribute("name")).isEqualTo("conv1 (Conv2d)");
    }

    @Test
    void anyNameIsSoundXml() throws Exception {
        Document document = parsed(
                Examples.hostile(), ReportOptions.defaults().withFailing(Set.of(Verdict.FALLS_BACK, Verdict.INVALID)));
        assertCounted(document);
        assertThat(elements(document, "img")).isEmpty();
        String name = Examples.HOSTILE.get(0);
        assertThat(elements(document, "testcase").get(0).getAttribute("name")).isEqualTo(name + " (" + name + ")");
    }
}
