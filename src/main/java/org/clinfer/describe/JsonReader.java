package org.clinfer.describe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;

/** Reads the fields of one JSON object strictly: wrong kinds, missing and left-over fields are errors with a path. */
final class JsonReader {

    private static final String UNNAMED = "unnamed";
    private static final Set<String> RESERVED = Set.of("true", "false", "null");

    /** Operators of one file. */
    private static final int MOST_OPERATORS = 10_000;
    /** Elements of any other list of objects, texts or expressions. */
    private static final int MOST_ELEMENTS = 1000;

    /** The field of a check that all sizes can be counted by an int of OpenCL. */
    private static final String FITS_INT = "fits_int";

    private static final Pattern SIZE = Pattern.compile("[A-Za-z0-9_.* \\[\\]]+");

    private final Map<?, ?> fields;
    private final Origin origin;
    private final String path;
    private final Set<String> read = new HashSet<>();

    /**
     * The origin of a document.
     *
     * @param file its name for messages
     * @param sound whether it is known to be sound, so that expressions need not be parsed to find mistakes
     * @param mistakes where those go after which reading can go on
     */
    record Origin(String file, boolean sound, Mistakes mistakes) {}

    JsonReader(Object json, Origin origin, String path) {
        this.origin = origin;
        boolean alike = json instanceof FamilyExpander.Member;
        this.path = alike ? path + "(" + ((FamilyExpander.Member) json).family() + ")" : path;
        Object found = alike ? ((FamilyExpander.Member) json).fields() : json;
        if (!(found instanceof Map<?, ?> object)) {
            throw wrong(path, "an object", json);
        }
        this.fields = object;
    }

    /** The start of error messages about a field. */
    String where(String field) {
        return file() + ": " + pathOf(field);
    }

    String file() {
        return origin.file();
    }

    private String pathOf(String field) {
        return path.isEmpty() || field.isEmpty() ? path + field : path + "." + field;
    }

    boolean has(String field) {
        return fields.containsKey(field);
    }

    Optional<Object> find(String field) {
        read.add(field);
        return Optional.ofNullable(fields.get(field));
    }

    private Object required(String field) {
        return find(field).orElseThrow(() -> missing(field));
    }

    /** Notes that fields are missing, and goes on; the object is left out. */
    void expect(String... needed) {
        for (String field : needed) {
            if (!has(field)) {
                note(missing(field));
            }
        }
    }

    /** Notes a mistake after which this object can be read to its end, although it is left out then. */
    void note(DescriptionException wrong) {
        if (origin.sound()) {
            throw wrong;
        }
        origin.mistakes().leaveOut(wrong);
    }

    /** A text without which nothing can be said of the rest of the object. */
    String decisiveText(String field) {
        return asText(required(field), pathOf(field));
    }

    /** A text; an empty one where it is missing. */
    String text(String field) {
        expect(field);
        return text(field, "");
    }

    String text(String field, String otherwise) {
        return find(field).map(value -> asText(value, pathOf(field))).orElse(otherwise);
    }

    private String asText(Object value, String at) {
        if (!(value instanceof String text)) {
            throw wrong(at, "a string", value);
        }
        return text;
    }

    /** A string that can stand as a name in expressions; another one where it is missing. */
    String name(String field) {
        expect(field);
        String name = text(field, UNNAMED);
        if (!isName(name) || RESERVED.contains(name)) {
            throw failure(pathOf(field), "expected a name of letters, digits and '_', found '" + name + "'");
        }
        return name;
    }

    /** {@return whether a text is a name as in C} */
    static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (i == 0 || c < '0' || c > '9')) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    Optional<Boolean> flag(String field) {
        return find(field).map(value -> {
            if (!(value instanceof Boolean flag)) {
                throw wrong(pathOf(field), "true or false", value);
            }
            return flag;
        });
    }

    /** One of the constants of an enum, written as {@code spelling} gives it. */
    <E extends Enum<E>> E constant(String field, E[] values, Function<E, String> spelling) {
        String text = decisiveText(field);
        List<String> known = new ArrayList<>();
        for (E value : values) {
            if (spelling.apply(value).equals(text)) {
                return value;
            }
            known.add(spelling.apply(value));
        }
        throw failure(pathOf(field), "expected one of " + String.join(", ", known) + ", found '" + text + "'");
    }

    List<String> texts(String field) {
        return elements(field, (value, at) -> asText(value, at));
    }

    /** The objects of a list, but for those that are wrong; a missing field is an empty list. */
    <T> List<T> objects(String field, Function<JsonReader, T> read) {
        List<T> objects = new ArrayList<>();
        elements(field, (value, at) -> {
            try {
                objects.add(object(value, at, read));
            } catch (DescriptionException wrong) {
                if (origin.sound()) {
                    throw wrong;
                }
                origin.mistakes().leaveOut(wrong);
            }
            return at;
        });
        return objects;
    }

    /** The mistakes of the document so far. */
    Mistakes mistakes() {
        return origin.mistakes();
    }

    /** The object at a path. */
    <T> T object(Object value, String at, Function<JsonReader, T> read) {
        JsonReader reader = new JsonReader(value, origin, at);
        T result = read.apply(reader);
        reader.expectNothingElse();
        return result;
    }

    /** This object with another value of a field. */
    JsonReader with(String field, Object value) {
        Map<Object, Object> changed = new LinkedHashMap<>(fields);
        changed.put(field, value);
        return new JsonReader(changed, origin, path);
    }

    /** Reads one element at its path. */
    interface ElementReader<T> {
        T read(Object value, String path);
    }

    private <T> List<T> elements(String field, ElementReader<T> reader) {
        Optional<Object> value = find(field);
        if (value.isEmpty()) {
            return List.of();
        }
        if (!(value.get() instanceof List<?> list)) {
            throw wrong(pathOf(field), "a list", value.get());
        }
        int most = path.isEmpty() ? MOST_OPERATORS : MOST_ELEMENTS;
        if (list.size() > most) {
            throw failure(pathOf(field), "expected at most " + most + " elements, found " + list.size());
        }
        List<T> elements = new ArrayList<>();
        for (Object element : list) {
            elements.add(reader.read(element, pathOf(field) + "[" + elements.size() + "]"));
        }
        return elements;
    }

    /** A list of numbers and expressions. */
    List<Expr> expressions(String field) {
        return elements(field, this::asExpression);
    }

    /** A list of numbers as one value. */
    ExpressionValue numbers(String field) {
        return ExpressionValue.list(elements(field, (value, at) -> {
            if (!(value instanceof Number)) {
                throw wrong(at, "a number", value);
            }
            return JsonValues.of(value, file() + ": " + at);
        }));
    }

    /** A list of whole numbers. */
    List<ExpressionValue.Int> wholeNumbers(String field) {
        return elements(field, (value, at) -> {
            if (value instanceof Number
                    && JsonValues.of(value, file() + ": " + at) instanceof ExpressionValue.Int number) {
                return number;
            }
            throw wrong(at, "a whole number", value);
        });
    }

    Optional<Expr> expression(String field) {
        return find(field).map(value -> asExpression(value, pathOf(field)));
    }

    Expr requiredExpression(String field) {
        expect(field);
        return expression(field).orElseGet(() -> placeholder(pathOf(field)));
    }

    /** A constant of JSON, or a string with an expression. */
    private Expr asExpression(Object value, String at) {
        if (value instanceof String source) {
            return parsed(source, at);
        }
        if (value instanceof Number || value instanceof Boolean) {
            String where = file() + ": " + at;
            return Expr.constant(JsonValues.of(value, where), where);
        }
        return unreadable(wrong(at, "a number or an expression", value), at);
    }

    /** Something instead of an expression that cannot be read, so that the mistakes of the others are found, too. */
    private Expr unreadable(DescriptionException wrong, String at) {
        origin.mistakes().add(wrong);
        return placeholder(at);
    }

    private Expr placeholder(String at) {
        return Expr.ofSound("error('unreadable')", file() + ": " + at);
    }

    /** The expression that stands, possibly in another spelling, in a field. */
    Expr parse(String source, String field) {
        return parsed(source, pathOf(field));
    }

    private Expr parsed(String source, String at) {
        if (origin.sound()) {
            return Expr.ofSound(source, file() + ": " + at);
        }
        try {
            return Expr.parse(source, file() + ": " + at);
        } catch (ExprException malformed) {
            return unreadable(new DescriptionException(String.valueOf(malformed.getMessage()), malformed), at);
        }
    }

    /** The fields of an object as expressions, in file order; their names are those of C. */
    Map<String, Expr> namedExpressions(String field) {
        Map<String, Expr> map = new LinkedHashMap<>();
        object(field).forEach((name, value) -> {
            if (!isName(name)) {
                throw failure(pathOf(field), "expected names of letters, digits and '_', found '" + name + "'");
            }
            map.put(name, asExpression(value, pathOf(field) + "." + name));
        });
        return map;
    }

    /** The fields of an object as they stand there; a missing field is an empty object. */
    Map<String, Object> object(String field) {
        Optional<Object> value = find(field);
        if (value.isEmpty()) {
            return Map.of();
        }
        if (!(value.get() instanceof Map<?, ?> object)) {
            throw wrong(pathOf(field), "an object", value.get());
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        object.forEach((name, json) -> fields.put(String.valueOf(name), json));
        return fields;
    }

    /** The fields {@code check}, {@code checks} and {@code custom}, which comes last, together. */
    List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        if (has("check")) {
            checks.add(check("check"));
        }
        checks.addAll(objects("checks", JsonReader::oneOfChecks));
        if (has("custom")) {
            checks.add(check("custom"));
        }
        return checks;
    }

    private Check oneOfChecks() {
        if (!has(FITS_INT)) {
            return check("check");
        }
        List<String> sizes = elements(FITS_INT, (value, at) -> {
            if (value instanceof String size
                    && (origin.sound() || SIZE.matcher(size).matches())) {
                return size + " < 2147483648";
            }
            throw wrong(at, "a size, such as x.len, or a product of sizes", value);
        });
        if (sizes.isEmpty()) {
            throw failure(pathOf(FITS_INT), "expected one size or more");
        }
        return parsedCheck(String.join(" && ", sizes) + ", \"2^31 elements or more in one tensor\"", FITS_INT);
    }

    private Check check(String field) {
        expect(field);
        return has(field) ? parsedCheck(text(field), field) : new Check(placeholder(pathOf(field)), "");
    }

    private Check parsedCheck(String source, String field) {
        if (origin.sound()) {
            return Check.ofSound(source, where(field));
        }
        try {
            return Check.parse(source, where(field));
        } catch (ExprException malformed) {
            DescriptionException wrong = new DescriptionException(String.valueOf(malformed.getMessage()), malformed);
            return new Check(unreadable(wrong, pathOf(field)), "");
        }
    }

    /** Notes every field of the object that nobody asked for. */
    void expectNothingElse() {
        for (Object field : fields.keySet()) {
            if (!read.contains(field)) {
                note(failure(path, "unknown field '" + field + "'"));
            }
        }
    }

    DescriptionException wrongValue(String field, String expected) {
        return wrong(pathOf(field), expected, required(field));
    }

    DescriptionException failureAt(String field, String reason) {
        return failure(pathOf(field), reason);
    }

    private DescriptionException missing(String field) {
        return failure(path, "field '" + field + "' is missing");
    }

    private DescriptionException wrong(String at, String expected, Object found) {
        return failure(at, "expected " + expected + ", found " + JsonValues.described(found));
    }

    private DescriptionException failure(String at, String reason) {
        return new DescriptionException(file() + ": " + (at.isEmpty() ? "" : at + ": ") + reason);
    }
}
