package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;

/** Reads the parameters of an operator. */
final class ParamReader {

    private ParamReader() {}

    static ParamDescription param(JsonReader json) {
        String name = json.name("arg_name");
        ParamType type = json.constant("ptype", ParamType.values(), ParamType::name);
        boolean mapped = json.has("from_func");
        if (json.has("realtype") && !type.isNumber() && !mapped) {
            throw json.failureAt(
                    "realtype",
                    "only numbers, and strings with a from_func, have a realtype, and the ptype is " + type);
        }
        if (mapped && !type.isText()) {
            throw json.failureAt("from_func", "only strings have a from_func, and the ptype is " + type);
        }
        Optional<RealType> realType = type.isNumber() || mapped
                ? Optional.of(json.constant(
                        "realtype", RealType.values(), t -> t.name().toLowerCase(Locale.ROOT)))
                : Optional.empty();
        ParamDescription param = new ParamDescription(
                name,
                type,
                realType,
                fromFunc(json),
                byDefault(json, type),
                json.texts("one_of"),
                json.text("from_input", ""),
                json.expression("len"),
                bounds(json, type),
                json.checks(),
                json.text("doc", ""));
        verify(json, param);
        return param;
    }

    private static void verify(JsonReader json, ParamDescription param) {
        if (param.len().isPresent() && !param.type().isArray()) {
            throw json.failureAt("len", "only arrays have a len, and the ptype is " + param.type());
        }
        if (!param.oneOf().isEmpty() && !param.type().isText()) {
            throw json.failureAt("one_of", "only strings have a one_of, and the ptype is " + param.type());
        }
        if (param.byDefault().filter(Expr::isConstant).isPresent()) {
            ExpressionValue constant = param.byDefault().get().evaluate(Scope.empty());
            if (!constant.isAbsent() && ParamValues.convert(param, constant).isEmpty()) {
                throw json.wrongValue("default", param.expected());
            }
        }
    }

    /** The name of a function of one string, or an expression in which the string is called {@code value}. */
    private static Optional<Expr> fromFunc(JsonReader json) {
        return json.find("from_func").map(node -> {
            String source = json.text("from_func");
            boolean function = JsonReader.isName(source) && !source.equals("value");
            return json.parse(function ? source + "(value)" : source, "from_func");
        });
    }

    /** A string is the value itself for a string parameter, and an expression for any other. */
    private static Optional<Expr> byDefault(JsonReader json, ParamType type) {
        return json.find("default").map(node -> {
            boolean expression = node instanceof String && type != ParamType.LN_PARAM_STRING;
            return expression
                    ? json.requiredExpression("default")
                    : Expr.constant(JsonValues.of(node, json.where("default")), json.where("default"));
        });
    }

    private static List<Bound> bounds(JsonReader json, ParamType type) {
        List<Bound> bounds = new ArrayList<>();
        for (Bound.Relation relation : Bound.Relation.values()) {
            String field = relation.name().toLowerCase(Locale.ROOT);
            Optional<Object> node = json.find(field);
            if (node.isEmpty()) {
                continue;
            }
            if (!type.isNumber() && !json.has("from_func")) {
                throw json.failureAt(field, "only numbers have bounds, and the ptype is " + type);
            }
            Expr limit = node.get() instanceof List
                    ? Expr.constant(json.numbers(field), json.where(field))
                    : json.requiredExpression(field);
            bounds.add(new Bound(relation, limit));
        }
        return bounds;
    }
}
