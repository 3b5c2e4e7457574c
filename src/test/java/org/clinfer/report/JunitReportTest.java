package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
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
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(JunitReportTest.class.getResource("junit.xsd"))
                .newValidator()
                .validate(new StreamSource(new StringReader(xml)));
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
                .containsExactly("unsupported", "invalid", "unsupported", "invalid");

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
    void reportsHaveTheTimeOfTheCheckInUtc() throws Exception {
        ReportOptions options = ReportOptions.defaults().withTime(Instant.parse("2026-02-03T04:05:06.789Z"));
        assertThat(elements(parsed(Examples.twoDevices(), options), "testsuite"))
                .extracting(suite -> suite.getAttribute("timestamp"))
                .containsExactly("2026-02-03T04:05:06", "2026-02-03T04:05:06");
    }

    @Test
    void equalNamesAreToldApart() throws Exception {
        String same = "long ".repeat(100);
        List<CheckReport.NodeReport> nodes = List.of(
                Examples.node(same + "1", "Relu", Verdict.ON_DEVICE),
                Examples.node(same + "2", "Relu", Verdict.ON_DEVICE));
        List<CheckReport> reports =
                List.of(Examples.report("net.v2", "SoC", "soc", nodes), Examples.report("net_v2", "SoC", "soc", nodes));
        List<Element> cases = elements(parsed(reports, ReportOptions.defaults()), "testcase");
        assertThat(cases)
                .extracting(each -> each.getAttribute("classname"))
                .containsExactly("soc.net_v2", "soc.net_v2", "soc.net_v2 #2", "soc.net_v2 #2");
        assertThat(cases.get(1).getAttribute("name")).hasSizeLessThan(256).endsWith("… #2");
    }

    @Test
    void anyNameIsSoundXml() throws Exception {
        Document document = parsed(
                Examples.hostile(), ReportOptions.defaults().withFailing(Set.of(Verdict.FALLS_BACK, Verdict.INVALID)));
        assertCounted(document);
        assertThat(elements(document, "img")).isEmpty();
        String name = Examples.HOSTILE.get(0);
        assertThat(elements(document, "testcase").get(0).getAttribute("name")).isEqualTo(name + " (" + name + ")");
        assertThat(elements(document, "skipped").get(0).getTextContent()).contains("in " + Examples.HOSTILE.get(1));
    }
}
