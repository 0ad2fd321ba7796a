package sonde.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.lang.reflect.Type;

/** JSON of the wire: snake_case names, and unknown fields are ignored. */
final class Json {
    /** The component of records that receives the unmodified JSON. */
    static final String RAW = "raw";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /** @throws IOException if the input is empty or not valid JSON */
    static JsonNode parse(byte[] bytes) throws IOException {
        return present(MAPPER.readTree(bytes));
    }

    /** @throws IOException if the input is empty or not valid JSON */
    static JsonNode parse(String text) throws IOException {
        return present(MAPPER.readTree(text));
    }

    private static JsonNode present(JsonNode node) throws IOException {
        if (node.getNodeType() == JsonNodeType.MISSING) throw new IOException("not valid JSON");
        return node;
    }

    /** @throws IllegalArgumentException if a field is of another type than in the record */
    static <T> T convert(JsonNode node, Class<T> type) {
        InjectableValues raw = new InjectableValues.Std().addValue(RAW, node);
        try {
            return MAPPER.readerFor(type).with(raw).readValue(node);
        } catch (IOException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName());
        }
    }

    /** @throws IllegalArgumentException that names the argument, if it is of another type */
    static Object argument(JsonNode node, Type type, String name) {
        try {
            return MAPPER.readerFor(MAPPER.constructType(type)).readValue(node);
        } catch (IOException e) {
            throw new IllegalArgumentException(name + " is not of the type " + type.getTypeName());
        }
    }

    /** The name of a component of a record on the wire. */
    static String wireName(String component) {
        return PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component);
    }

    /**
     * Converts any value to a tree: records of the caller in snake_case, keys of maps unchanged.
     *
     * @throws SondeUsageException if Jackson cannot serialize it; its message is not repeated, as it may contain the
     *     value
     */
    static JsonNode tree(Object value) {
        try {
            return MAPPER.valueToTree(value);
        } catch (IllegalArgumentException e) {
            throw new SondeUsageException(value.getClass().getName() + " contains a value that cannot be serialized as JSON");
        }
    }

    static String write(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree cannot be written", e);
        }
    }

    static JsonNode orNull(JsonNode node) {
        return node == null || node.isNull() ? null : node;
    }

    /** The text of a field; null if it is not a string. */
    static String text(JsonNode node, String field) {
        return node.path(field).textValue();
    }
}
