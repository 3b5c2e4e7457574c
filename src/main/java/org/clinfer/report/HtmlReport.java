package org.clinfer.report;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** The report as one page that needs nothing else. */
final class HtmlReport implements ReportWriter {

    private static final HtmlPage PAGE = new HtmlPage(
            HtmlReport.class,
            "page.html",
            "page.css",
            List.of(
                    "page.js",
                    "drawing.js",
                    "heat.js",
                    "details.js",
                    "picture.js",
                    "print.js",
                    "address.js",
                    "start.js"));

    @Override
    public void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException {
        PAGE.write(PageData.of(subjects, options), to);
    }
}
