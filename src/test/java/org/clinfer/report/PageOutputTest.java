package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The page on paper, and its drawing as a file. */
class PageOutputTest extends PageTests {

    @Test
    void theDrawingIsSavedAsAFileOfItsOwn() throws Exception {
        Path folder = Files.createDirectory(pages.resolve("saved"));
        browser.downloads(folder);
        open(Examples.twoDevices(), "#node=conv2");
        browser.click("#save");
        Path file = folder.resolve("net-soc1.svg");
        for (int i = 0; i < 100 && !Files.exists(file); i++) {
            Thread.sleep(50);
        }
        Document picture = xml(Files.readString(file));
        assertThat(picture.getElementsByTagName("text").getLength()).isEqualTo(21);
        assertThat(picture.getElementsByTagName("path").getLength()).isEqualTo(7);
        assertThat(picture.getElementsByTagName("title").item(0).getTextContent())
                .startsWith("net on Vendor SoC 1 (soc1)");
        String text = Files.readString(file);
        assertThat(text).contains(">conv2<", "fill:rgb(").doesNotContain("var(", "color-mix", "<script", "data-node");
        assertThat(count(".node.selected")).as("the selection comes back").isEqualTo(1);
    }

    @Test
    void whateverTheNamesAreThePictureIsSoundXml() throws Exception {
        open(Examples.hostile(), "#colour=work");
        Document picture = xml(browser.evaluate("picture()"));
        assertThat(picture.getElementsByTagName("img").getLength()).isZero();
        assertThat(picture.getElementsByTagName("script").getLength()).isZero();
    }

    private static Document xml(String text) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    @Test
    void paperHasTheWholeDrawingAndAllReasons() throws IOException {
        open(Examples.large(300));
        String view = place();
        int pages = pagesOf(browser.pdf());
        assertThat(pages).isBetween(2, 6);
        assertThat(place()).as("the page is as before").isEqualTo(view);
        assertThat(text("#title")).isEqualTo("Capability report");
        browser.evaluate("toPaper()");
        assertThat(browser.evaluate("document.getElementById('drawing').getAttribute('viewBox')"))
                .startsWith("-8 -8 ");
        assertThat(browser.evaluate("document.getElementById('paper').textContent"))
                .contains("falls-back: Conv2d, ", "the kernel does not fit", "unsupported: Add", "do not broadcast");
        browser.evaluate("fromPaper()");
        assertThat(count("#paper *")).isZero();
    }

    private static int pagesOf(byte[] pdf) {
        String text = new String(pdf, StandardCharsets.ISO_8859_1);
        assertThat(text).startsWith("%PDF");
        return (int)
                Pattern.compile("/Type\\s*/Page\\b").matcher(text).results().count();
    }
}
