package org.clinfer.graph;

/**
 * The amount of work of a kind that a model may make before it runs: a small file can say that there are very many
 * nodes, or that constants are to be multiplied for hours. The property {@value #PROPERTY} raises all budgets.
 */
public final class WorkBudget {

    /** So many times the usual budgets; a whole number from 1 on. */
    public static final String PROPERTY = "clinfer.work.factor";

    private final long limit;
    private long left;

    private WorkBudget(long limit) {
        this.limit = limit;
        this.left = limit;
    }

    /**
     * {@return a budget from which nothing is spent}
     *
     * @param usual what may be spent where the property is not set
     * @throws GraphException if the property is not a whole number from 1 to a million
     */
    public static WorkBudget of(long usual) {
        String text = System.getProperty(PROPERTY, "1");
        if (!text.matches("[1-9][0-9]{0,5}|1000000")) {
            throw new GraphException(
                    new SourceRef(PROPERTY, ""), "it must be a whole number from 1 to 1000000, but is '" + text + "'");
        }
        long factor = Long.parseLong(text);
        return new WorkBudget(usual > Long.MAX_VALUE / factor ? Long.MAX_VALUE : usual * factor);
    }

    /**
     * Takes what work costs; false, and nothing is taken, where not so much is left.
     *
     * @param amount in the unit of the budget
     * @return whether so much was left
     */
    public boolean spend(long amount) {
        if (amount > left) {
            return false;
        }
        left -= amount;
        return true;
    }

    /** {@return the limit of what may be spent in all} */
    public long limit() {
        return limit;
    }

    /** {@return the amount that was spent} */
    public long spent() {
        return limit - left;
    }
}
