package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request that can be sent several times.
 *
 * @param path below the base URL, including the query
 * @param body null for none
 * @param timeout of all attempts together; null for that of the client
 */
record Call(
        String method,
        String path,
        Map<String, String> headers,
        JsonNode body,
        Backoff.Policy policy,
        Duration timeout) {

    static Call get(String path) {
        return new Call("GET", path, Map.of(), null, Backoff.Policy.SAFE, null);
    }

    static Call delete(String path) {
        return new Call("DELETE", path, Map.of(), null, Backoff.Policy.DELETION, null);
    }

    static Call post(String path, JsonNode body, Backoff.Policy policy) {
        return new Call("POST", path, Map.of(), body, policy, null);
    }

    /** Returns this call unchanged if the value is null. */
    Call header(String name, String value) {
        if (value == null) return this;
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, printable(name, value));
        return new Call(method, path, more, body, policy, timeout);
    }

    Call policy(Backoff.Policy policy) {
        return new Call(method, path, headers, body, policy, timeout);
    }

    Call timeout(Duration timeout) {
        return new Call(method, path, headers, body, policy, timeout);
    }

    /** @throws SondeUsageException without the value, which may be secret */
    static String printable(String name, String value) {
        if (!value.chars().allMatch(c -> c >= 0x20 && c <= 0x7e))
            throw new SondeUsageException(name + ": must be printable ASCII");
        return value;
    }

    /** One segment of a path, escaped; {@code .} and {@code ..} would refer to another resource. */
    static String segment(String what, String id) {
        if (id == null || id.isBlank() || id.equals(".") || id.equals(".."))
            throw new SondeUsageException(what + " has no id");
        return "/" + encoded(id);
    }

    /** Escapes a value for a URL. */
    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
