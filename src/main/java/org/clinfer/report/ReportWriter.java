package org.clinfer.report;

import java.util.List;

/** One form of the capability report. */
interface ReportWriter {

    /** The whole document. */
    String write(List<Subject> subjects, ReportOptions options);
}
