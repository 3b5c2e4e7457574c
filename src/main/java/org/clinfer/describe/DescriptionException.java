package org.clinfer.describe;

import java.util.List;
import java.util.stream.Collectors;
import org.clinfer.errors.BadInputException;

/** Operator descriptions that cannot be read; the message names file, JSON path and reason of each mistake. */
public final class DescriptionException extends BadInputException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> mistakes;

    DescriptionException(String message) {
        super(message);
        this.mistakes = List.of(message);
    }

    DescriptionException(String message, Throwable cause) {
        super(message, cause);
        this.mistakes = List.of(message);
    }

    private DescriptionException(String message, List<String> mistakes) {
        super(message);
        this.mistakes = List.copyOf(mistakes);
    }

    /**
     * All mistakes in one.
     *
     * @param mistakes at least one, each with file, JSON path and reason
     */
    public static DescriptionException of(List<String> mistakes) {
        return of(mistakes, false);
    }

    static DescriptionException of(List<String> mistakes, boolean more) {
        if (mistakes.size() == 1) {
            return new DescriptionException(mistakes.get(0));
        }
        String title = (more ? "more than " : "") + mistakes.size() + " mistakes in descriptions of operators:";
        return new DescriptionException(
                mistakes.stream().map(mistake -> "\n  " + mistake).collect(Collectors.joining("", title, "")),
                mistakes);
    }

    /** Each mistake that was found, with file, JSON path and reason, in the order of the message. */
    public List<String> mistakes() {
        return mistakes;
    }
}
