package sonde.client.cli;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import sonde.client.Plan;
import sonde.client.PlanDecision;

/** The plan of {@code --edit}. */
final class PlanInput {
    private static final ObjectReader READER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build().reader();

    private PlanInput() {}

    /** Returns the plan in a file, or in standard input for {@code -}; other fields are left out. */
    static PlanDecision.Edited read(String file, InputStream stdin) {
        String name = file.equals("-") ? "standard input" : "\"" + file + "\"";
        byte[] bytes;
        try {
            bytes = file.equals("-") ? stdin.readAllBytes() : Files.readAllBytes(Path.of(file));
        } catch (IOException | InvalidPathException e) {
            throw new UsageError("--edit: " + name + " cannot be read");
        }
        try {
            return new PlanDecision.Edited(directions(READER.readTree(Input.decode(bytes))));
        } catch (IOException | UsageError e) {
            throw new UsageError("--edit: " + name + " is not a plan in the form that \"sonde plan ID\" prints");
        }
    }

    private static List<Plan.Direction> directions(JsonNode plan) throws IOException {
        List<Plan.Direction> directions = new ArrayList<>();
        for (JsonNode direction : list(plan, "directions")) {
            if (!direction.path("title").isTextual()) throw new IOException("no title");
            List<String> queries = new ArrayList<>();
            for (JsonNode query : list(direction, "queries")) {
                if (!query.isTextual()) throw new IOException("not a text");
                queries.add(query.textValue());
            }
            directions.add(new Plan.Direction(direction.path("title").textValue(), queries));
        }
        return directions;
    }

    private static JsonNode list(JsonNode object, String field) throws IOException {
        JsonNode list = object.path(field);
        if (!list.isArray()) throw new IOException("not a list");
        return list;
    }
}
