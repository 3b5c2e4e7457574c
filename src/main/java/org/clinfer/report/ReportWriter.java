package org.clinfer.report;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** One form of the capability report. */
interface ReportWriter {

    /** Writes the whole document, without a line end at its end. */
    void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException;
}
