package sonde.client;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of a request body, with the names of the wire. Immutable: each method returns a copy. */
abstract class Fields<T extends Fields<T>> {
    private final Map<String, Object> fields;

    Fields(Map<String, ?> fields) {
        this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    abstract T copy(Map<String, Object> fields);

    /**
     * Sets any field, including fields unknown to this client.
     *
     * @param name in snake_case
     * @param value any value that Jackson can serialize
     * @return a copy with the field
     */
    public T with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return copy(more);
    }

    /** @return the fields as they are sent */
    @JsonValue
    public Map<String, Object> toMap() {
        return fields;
    }
}
