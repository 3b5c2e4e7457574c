package org.clinfer.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Verdict;

/**
 * The number of nodes of each row that run on each device. Nodes of which nothing is left to run count nowhere, nor do those
 * that are part of others there.
 *
 * @param corner what the rows are
 * @param columns the devices, by the short names of their profiles, the best first
 * @param rows models or operators, and what the order of the devices depends on; a cell is empty where the model was not checked for the device, or no such node is
 *     one of its own there
 */
record Matrix(String corner, List<String> columns, List<Row> rows) {

    /** One model or operator, or all of them. */
    record Row(String name, boolean isTotal, List<String> cells) {

        private static Row of(String name, boolean isTotal, List<Optional<Cell>> cells) {
            return new Row(
                    name,
                    isTotal,
                    cells.stream()
                            .map(cell -> cell.map(Cell::toString).orElse(""))
                            .toList());
        }
    }

    /** @param worst the verdict that weighs most */
    private record Cell(long onDevice, long nodes, Verdict worst) {

        private static Cell of(List<NodeReport> nodes) {
            Verdict worst = Verdict.ON_DEVICE;
            long onDevice = 0;
            List<NodeReport> left = left(nodes);
            for (NodeReport node : left) {
                List<Verdict> order = VerdictLetter.byWeight();
                worst = order.indexOf(node.verdict()) > order.indexOf(worst) ? node.verdict() : worst;
                onDevice += node.verdict() == Verdict.ON_DEVICE ? 1 : 0;
            }
            return new Cell(onDevice, left.size(), worst);
        }

        /** As {@code 52/60 F}. */
        @Override
        public String toString() {
            String letter = worst == Verdict.ON_DEVICE ? "" : " " + VerdictLetter.of(worst);
            return onDevice + "/" + nodes + letter;
        }
    }

    /** The matrix to show before the single reports: empty for one report alone. */
    static Optional<Matrix> of(List<Subject> subjects) {
        if (subjects.size() < 2) {
            return Optional.empty();
        }
        boolean isOneModel = subjects.stream().map(Subject::model).distinct().count() == 1;
        List<Standing> standings = Standing.of(subjects);
        List<String> columns = standings.stream().map(Standing::column).toList();
        List<Row> rows = new ArrayList<>(isOneModel ? ofOperators(subjects, columns) : ofModels(subjects, columns));
        figures(rows, "multiply-adds", standings, Standing::shareText);
        figures(rows, "time of a run", standings, Standing::timeText);
        return Optional.of(new Matrix(isOneModel ? "OPERATOR" : "MODEL", columns, rows));
    }

    /** Adds a row of figures, where there are any. */
    private static void figures(
            List<Row> rows, String name, List<Standing> standings, Function<Standing, String> figure) {
        List<String> cells = standings.stream().map(figure).toList();
        if (standings.size() > 1 && cells.stream().anyMatch(cell -> !cell.isEmpty())) {
            rows.add(new Row(name, true, cells));
        }
    }

    private static List<Row> ofModels(List<Subject> subjects, List<String> columns) {
        Map<String, List<Optional<Cell>>> rows = new LinkedHashMap<>();
        for (Subject subject : subjects) {
            List<Optional<Cell>> row = rows.computeIfAbsent(subject.model(), model -> empty(columns.size()));
            row.set(columns.indexOf(subject.column()), Optional.of(Cell.of(subject.nodes())));
        }
        return rows(rows);
    }

    private static List<Row> ofOperators(List<Subject> subjects, List<String> columns) {
        Map<String, List<Optional<Cell>>> rows = new LinkedHashMap<>();
        for (Subject subject : subjects) {
            int column = columns.indexOf(subject.column());
            byOperator(subject.nodes())
                    .forEach((op, nodes) -> rows.computeIfAbsent(op, name -> empty(columns.size()))
                            .set(column, Optional.of(Cell.of(nodes))));
        }
        List<Optional<Cell>> all = empty(columns.size());
        subjects.forEach(subject -> all.set(columns.indexOf(subject.column()), Optional.of(Cell.of(subject.nodes()))));
        List<Row> both = new ArrayList<>(rows(rows));
        both.add(Row.of("all nodes", true, all));
        return both;
    }

    private static List<Row> rows(Map<String, List<Optional<Cell>>> rows) {
        return rows.entrySet().stream()
                .map(row -> Row.of(row.getKey(), false, row.getValue()))
                .toList();
    }

    private static List<NodeReport> left(List<NodeReport> nodes) {
        return nodes.stream().filter(NodeReport::isCounted).toList();
    }

    private static Map<String, List<NodeReport>> byOperator(List<NodeReport> nodes) {
        Map<String, List<NodeReport>> byOperator = new LinkedHashMap<>();
        left(nodes)
                .forEach(node -> byOperator
                        .computeIfAbsent(node.op(), op -> new ArrayList<>())
                        .add(node));
        return byOperator;
    }

    private static List<Optional<Cell>> empty(int size) {
        List<Optional<Cell>> row = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            row.add(Optional.empty());
        }
        return row;
    }

    /** Columns in groups, each of which with the rows' names is at most {@code width} wide; one column may be wider. */
    List<List<Integer>> blocks(int width, int gap, Function<String, String> shown) {
        int names =
                rows.stream().mapToInt(row -> shown.apply(row.name()).length()).reduce(corner.length(), Math::max);
        List<List<Integer>> blocks = new ArrayList<>();
        int used = 0;
        for (int column = 0; column < columns.size(); column++) {
            int wide = gap + width(column, shown);
            if (blocks.isEmpty() || used + wide > width) {
                blocks.add(new ArrayList<>());
                used = names;
            }
            blocks.get(blocks.size() - 1).add(column);
            used += wide;
        }
        return blocks;
    }

    private int width(int column, Function<String, String> shown) {
        return rows.stream()
                .mapToInt(row -> row.cells().get(column).length())
                .reduce(shown.apply(columns.get(column)).length(), Math::max);
    }
}
