package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.harrel.jsonschema.Error;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The schema of operator descriptions, and what it says about a file. */
final class OperatorSchema {

    private final Validator validator =
            new ValidatorFactory().withJsonNodeFactory(new SchemaNode.Factory()).createValidator();
    private final URI schema;

    OperatorSchema() {
        schema = validator.registerSchema(source());
    }

    /** The JSON of the schema. */
    static String source() {
        try (InputStream stream =
                OpCatalog.class.getClassLoader().getResourceAsStream("org/clinfer/schemas/operator.schema.json")) {
            return new String(
                    Objects.requireNonNull(stream, "the schema is missing").readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What the schema finds wrong, each with its place in the way of messages: {@code ops[0].params[1]: …}. */
    List<String> errors(String json) {
        Validator.Result result = validator.validate(schema, json);
        List<String> errors = new ArrayList<>();
        if (!result.isValid()) {
            for (Error error : result.getErrors()) {
                errors.add(path(error.getInstanceLocation()) + ": " + error.getError());
            }
        }
        return errors;
    }

    private static String path(String pointer) {
        return pointer.replaceAll("/([0-9]+)", "[$1]").replaceFirst("^/", "").replace('/', '.');
    }
}
