package org.clinfer.check;

/**
 * The stable name of what speaks against a node: parts with slashes between them, the first of which says where it comes
 * from. Reports print it, and what compares reports relies on it.
 *
 * <ul>
 *   <li>{@code OPERATOR/ASPECT}: the operator's own description, of an argument or of {@code shape}, {@code control},
 *       {@code composition}, {@code operator} for the whole
 *   <li>{@code FAMILY/KIND/RULE}: a rule of device profiles
 *   <li>{@code FAMILY/network/RULE}: a rule on all nodes together, said of the network
 *   <li>{@code FAMILY/converts/STEP}: a step of the family's converter
 *   <li>{@code FAMILY/operators}: the list of operators that devices of the family run
 *   <li>{@code device/OPERATOR}: a live device does not run the operator
 *   <li>{@code cpu/OPERATOR}: the CPU does not run the operator
 *   <li>{@code probe/OUTCOME}: the outcome of trying a device
 *   <li>{@code clinfer/VERDICT}: no reason is given for the verdict
 * </ul>
 *
 * <p>Names of operators and of a user's own rules may hold any character, so an id is compared as a whole.
 *
 * @param text the parts with slashes between
 */
public record RuleId(String text) {

    @Override
    public String toString() {
        return text;
    }
}
