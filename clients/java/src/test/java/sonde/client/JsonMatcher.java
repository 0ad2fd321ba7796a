package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Map;

/** Compares actual with expected JSON. */
public final class JsonMatcher {
    private JsonMatcher() {}

    /**
     * The first path at which {@code got} lacks an expected value; empty if none. Expected null matches an absent
     * value.
     */
    public static String difference(String path, JsonNode expected, JsonNode got) {
        JsonNode found = got == null ? MissingNode.getInstance() : got;
        if (expected.isNull() && (found.isNull() || found.isMissingNode())) return "";
        if (expected.isObject() && found.isObject()) return ofFields(path, expected, found);
        if (expected.isArray() && found.isArray() && expected.size() == found.size()) return ofItems(path, expected, found);
        boolean numbers = expected.isNumber() && found.isNumber() && expected.asDouble() == found.asDouble();
        return numbers || expected.equals(found) ? "" : path + ": expected " + expected + ", got " + found;
    }

    private static String ofFields(String path, JsonNode expected, JsonNode got) {
        for (Map.Entry<String, JsonNode> field : expected.properties()) {
            String name = field.getKey();
            String difference = difference(path + "." + name, field.getValue(), got.path(name));
            if (!difference.isEmpty()) return difference;
        }
        return "";
    }

    private static String ofItems(String path, JsonNode expected, JsonNode got) {
        for (int i = 0; i < expected.size(); i++) {
            String difference = difference(path + "." + i, expected.get(i), got.get(i));
            if (!difference.isEmpty()) return difference;
        }
        return "";
    }
}
