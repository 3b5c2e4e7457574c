package org.clinfer.report;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import org.clinfer.check.CheckReport;

/** The forms of the capability report. */
public enum ReportFormat {
    TEXT,
    JSON,
    HTML,
    SARIF,
    JUNIT,
    MARKDOWN;

    /** All reports as one document, without a line end at its end. */
    public String write(List<CheckReport> reports, ReportOptions options) {
        StringWriter text = new StringWriter();
        try {
            write(reports, options, text);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /** Writes the same document piece by piece; it may be larger than what memory has room for. */
    public void write(List<CheckReport> reports, ReportOptions options, Writer to) throws IOException {
        writer().write(Subject.of(reports, options), options, to);
    }

    private ReportWriter writer() {
        return switch (this) {
            case TEXT -> new TextReport();
            case JSON -> new JsonReport();
            case HTML -> new HtmlReport();
            case SARIF -> new SarifReport();
            case JUNIT -> new JunitReport();
            case MARKDOWN -> new MarkdownReport();
        };
    }
}
