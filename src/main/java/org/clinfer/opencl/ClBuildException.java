package org.clinfer.opencl;

/** A program that the device's compiler refused, with its log. */
public final class ClBuildException extends ClException {

    private static final long serialVersionUID = 1L;

    private final String label;
    private final String options;
    private final String log;

    ClBuildException(int code, String device, BuildRequest request, String log) {
        super("clBuildProgram(" + request.label() + ")", code, device, detail(request, log));
        this.label = request.label();
        this.options = request.options();
        this.log = log;
    }

    private static String detail(BuildRequest request, String log) {
        return "options: " + (request.options().isBlank() ? "(none)" : request.options()) + "\nbuild log:\n" + log;
    }

    /** The file name or label that the caller gave the program. */
    public String label() {
        return label;
    }

    public String options() {
        return options;
    }

    /** The compiler's log, or why it could not be read. */
    public String log() {
        return log;
    }

    /** The request to the compiler. */
    record BuildRequest(String label, String options) {}
}
