package org.clinfer.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.Expr;
import org.clinfer.profile.CostFigure;
import org.clinfer.profile.CostModel;
import org.clinfer.tensor.DType;

/** The part of a family's page about the time that nodes take. */
final class CostSection {

    private final CostModel model;
    private final List<String> lines = new ArrayList<>();

    CostSection(CostModel model) {
        this.model = model;
    }

    List<String> lines() {
        lines.add("- Source: " + MarkdownTable.plain(model.source()));
        lines.add("- Error: " + MarkdownTable.plain(model.accuracy().orElse("not known")));
        model.float32As()
                .map(DType::label)
                .ifPresent(type -> lines.add(
                        "- A network of float32 is taken to be of " + type + ", if `--float32-as` does not say else."));
        lines.add("");
        lines.add("```");
        names(model.lets());
        for (CostFigure figure : CostFigure.values()) {
            Expr formula = model.figures().get(figure);
            if (formula != null) {
                lines.addAll(CodeLines.of(figure.key() + " = ", formula.source()));
            }
        }
        lines.add("```");
        model.kinds().forEach(this::kind);
        return lines;
    }

    private void kind(CostModel.KindCost kind) {
        lines.add("");
        lines.add("Cost of "
                + (kind.kinds().equals(List.of("*")) ? "every other operator" : String.join(", ", kind.kinds()))
                + (kind.source().isEmpty() ? ":" : " (" + MarkdownTable.plain(kind.source()) + "):"));
        lines.add("");
        lines.add("```");
        names(kind.lets());
        lines.addAll(CodeLines.of("cycles = ", kind.cycles().source()));
        kind.amounts().forEach((name, formula) -> lines.addAll(CodeLines.of(name + " = ", formula.source())));
        kind.nodeSeconds().ifPresent(formula -> lines.addAll(CodeLines.of("node_seconds = ", formula.source())));
        lines.add("```");
    }

    private void names(Map<String, Expr> lets) {
        lets.forEach((name, formula) -> lines.addAll(CodeLines.of(name + " = ", formula.source())));
    }
}
