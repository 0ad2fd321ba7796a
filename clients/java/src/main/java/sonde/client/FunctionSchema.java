package sonde.client;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** JSON Schemas of Java types. A type that is not known allows any JSON. */
final class FunctionSchema {
    private static final int DEPTH = 8;
    private static final Set<Class<?>> INTEGERS =
            Set.of(int.class, long.class, short.class, Integer.class, Long.class, Short.class);
    private static final Set<Class<?>> NUMBERS = Set.of(double.class, float.class, Double.class, Float.class);

    private FunctionSchema() {}

    /** @param types by name */
    static Map<String, Object> object(Map<String, Map<String, Object>> properties, List<String> required) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        schema.put("additionalProperties", false);
        return schema;
    }

    static Map<String, Object> of(Type type) {
        return of(type, DEPTH);
    }

    /** Whether it is an {@link Optional}, which may be absent. */
    static boolean isOptional(Type type) {
        return raw(type) == Optional.class;
    }

    /** The type itself, or what the {@link Optional} holds. */
    static Type present(Type type) {
        return isOptional(type) && type instanceof ParameterizedType p ? p.getActualTypeArguments()[0] : type;
    }

    private static Map<String, Object> of(Type type, int depth) {
        Class<?> raw = raw(type);
        if (depth == 0 || raw == null) return Map.of();
        if (raw == String.class) return Map.of("type", "string");
        if (raw == boolean.class || raw == Boolean.class) return Map.of("type", "boolean");
        if (INTEGERS.contains(raw)) return Map.of("type", "integer");
        if (NUMBERS.contains(raw)) return Map.of("type", "number");
        if (raw.isEnum())
            return Map.of("enum", Stream.of(raw.getEnumConstants()).map(each -> ((Enum<?>) each).name()).toList());
        if (raw.isArray()) return Map.of("type", "array", "items", of(raw.getComponentType(), depth - 1));
        if (Collection.class.isAssignableFrom(raw)) return Map.of("type", "array", "items", item(type, depth));
        if (Map.class.isAssignableFrom(raw)) return Map.of("type", "object");
        return raw.isRecord() ? record(raw, depth) : Map.of();
    }

    private static Map<String, Object> item(Type type, int depth) {
        return type instanceof ParameterizedType p ? of(p.getActualTypeArguments()[0], depth - 1) : Map.of();
    }

    private static Map<String, Object> record(Class<?> type, int depth) {
        Map<String, Map<String, Object>> properties = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents())
            properties.put(Json.wireName(component.getName()), of(component.getGenericType(), depth - 1));
        return object(properties, List.copyOf(properties.keySet()));
    }

    private static Class<?> raw(Type type) {
        if (type instanceof Class<?> plain) return plain;
        return type instanceof ParameterizedType p ? raw(p.getRawType()) : null;
    }
}
