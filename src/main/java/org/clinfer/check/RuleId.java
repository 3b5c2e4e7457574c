package org.clinfer.check;

/**
 * The stable name of what speaks against a node: parts with slashes between them, the first of which says where it comes
 * from. Reports print it, and what compares reports relies on it.
 *
 * <p>Names of operators and of a user's own rules may hold any character, so an id is compared as a whole.
 */
public record RuleId(String text) {

    /** Of the operator's own description: {@code OPERATOR/ASPECT}, such as an argument or {@code shape}. */
    static RuleId ofDescription(String op, String aspect) {
        return new RuleId(op + "/" + aspect);
    }

    /** The reason why the CPU does not run an operator: {@code cpu/OPERATOR}. */
    static RuleId ofCpu(String op) {
        return new RuleId("cpu/" + op);
    }

    /**
     * {@return the reason why a live device does not run an operator: {@code device/OPERATOR}}
     *
     * @param op the canonical operator
     */
    public static RuleId ofDevice(String op) {
        return new RuleId("device/" + op);
    }

    /** A rule of device profiles: {@code FAMILY/KIND/RULE}. */
    static RuleId ofProfile(String family, String kind, String rule) {
        return new RuleId(family + "/" + kind + "/" + rule);
    }

    /** A step of the converter of a family: {@code FAMILY/converts/STEP}. */
    static RuleId ofConversion(String family, String step) {
        return new RuleId(family + "/converts/" + step);
    }

    /** The list of operators that devices of a family run: {@code FAMILY/operators}. */
    static RuleId ofOperatorList(String family) {
        return new RuleId(family + "/operators");
    }

    /**
     * {@return the outcome of trying a device: {@code probe/OUTCOME}}
     *
     * @param outcome one word
     */
    public static RuleId ofProbe(String outcome) {
        return new RuleId("probe/" + outcome);
    }

    /**
     * {@return the stand-in for the rule of a verdict for which no reason is given: {@code clinfer/VERDICT}}
     *
     * @param verdict the verdict
     */
    public static RuleId ofVerdict(Verdict verdict) {
        return new RuleId("clinfer/" + verdict.label());
    }

    @Override
    public String toString() {
        return text;
    }
}
