package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Map;

/** Compares what is there with what is wanted of it. */
public final class Likeness {
    private Likeness() {}

    /** The first place at which `got` lacks something that is wanted; empty if none. Wanted null: null or absent. */
    public static String difference(String path, JsonNode wanted, JsonNode got) {
        JsonNode found = got == null ? MissingNode.getInstance() : got;
        if (wanted.isNull() && (found.isNull() || found.isMissingNode())) return "";
        if (wanted.isObject() && found.isObject()) return ofFields(path, wanted, found);
        if (wanted.isArray() && found.isArray() && wanted.size() == found.size()) return ofItems(path, wanted, found);
        boolean numbers = wanted.isNumber() && found.isNumber() && wanted.asDouble() == found.asDouble();
        return numbers || wanted.equals(found) ? "" : path + ": wanted " + wanted + ", got " + found;
    }

    private static String ofFields(String path, JsonNode wanted, JsonNode got) {
        for (Map.Entry<String, JsonNode> field : wanted.properties()) {
            String name = field.getKey();
            String difference = difference(path + "." + name, field.getValue(), got.path(name));
            if (!difference.isEmpty()) return difference;
        }
        return "";
    }

    private static String ofItems(String path, JsonNode wanted, JsonNode got) {
        for (int i = 0; i < wanted.size(); i++) {
            String difference = difference(path + "." + i, wanted.get(i), got.get(i));
            if (!difference.isEmpty()) return difference;
        }
        return "";
    }
}
