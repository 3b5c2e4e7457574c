package org.clinfer.check;

import java.util.List;
import java.util.Optional;
import org.clinfer.profile.Evidence;

/**
 * One thing that speaks against a node, or against the device for it.
 *
 * @param rule what is broken
 * @param message what was found and what was expected
 * @param broken more of a rule of a device profile; empty for the others
 */
public record Finding(RuleId rule, String message, Optional<BrokenRule> broken) {

    /**
     * A rule of a device profile that a node breaks, or that cannot be decided for it.
     *
     * @param isDecided false where something that the rule needs is not known
     * @param expression the rule with its values
     * @param workings how the named values of the expression came about, each as {@code name = definition: with values =
     *     value}
     * @param actual what the node has; empty where the rule is no comparison
     * @param limit what the device allows; empty where the rule is no comparison
     * @param margin by how much the limit is missed; empty where that is no number
     * @param unit of these three; may be empty
     * @param places where the profile sets the limit, as {@code file:section:key}; empty where the rule does
     * @param source the document
     * @param evidence the ground on which the rule stands; empty where its file does not say
     * @param reading the readings under which the rule is broken, with commas; empty where under all
     * @param passing the smallest single changes with which the node would pass all rules
     */
    public record BrokenRule(
            boolean isDecided,
            String expression,
            List<String> workings,
            String actual,
            String limit,
            String margin,
            String unit,
            List<String> places,
            String source,
            Optional<Evidence> evidence,
            String reading,
            List<PassingValue> passing) {
        public BrokenRule {
            workings = List.copyOf(workings);
            places = List.copyOf(places);
            passing = List.copyOf(passing);
        }
    }

    /**
     * One change that would do.
     *
     * @param what the parameter, dimension or limit, such as {@code strides[0]}, {@code x.dims[3]} or {@code
     *     AICoreSpec.l1_size}
     * @param from what it is
     * @param to what it would have to be
     */
    public record PassingValue(String what, String from, String to) {}

    /**
     * A finding that is not of a device profile.
     *
     * @param rule its name
     * @param message the sentence for people
     */
    public Finding(RuleId rule, String message) {
        this(rule, message, Optional.empty());
    }
}
