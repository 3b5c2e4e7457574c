package org.clinfer.report;

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
        return writer().write(Subject.of(reports, options), options).stripTrailing();
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
