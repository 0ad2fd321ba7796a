package sonde.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Deltas are merged as the service merges them. */
class DeltasTest {
    @TestFactory
    Stream<DynamicTest> addUp() throws IOException {
        return StreamSupport.stream(NodeProgram.contract("deltas.json").spliterator(), false)
                .map(fixture -> DynamicTest.dynamicTest(fixture.path("name").asText(), () -> check(fixture)));
    }

    private static void check(JsonNode fixture) {
        JsonNode deltas = fixture.path("deltas");
        JsonNode before = deltas.deepCopy();
        JsonNode whole = Deltas.empty();
        for (JsonNode delta : deltas) whole = Deltas.accumulate(whole, delta);
        assertEquals(fixture.path("sum"), whole);
        // The result is the same whichever two are merged first.
        JsonNode fromTheEnd = Deltas.empty();
        for (int i = deltas.size() - 1; i >= 0; i--) fromTheEnd = Deltas.accumulate(deltas.get(i), fromTheEnd);
        assertEquals(fixture.path("sum"), fromTheEnd);
        assertEquals(before, deltas);
        JsonNode sum = whole;
        if (fixture.has("message")) assertEquals(fixture.path("message"), Deltas.finish(sum));
        else
            assertEquals(
                    fixture.path("incomplete").asText(),
                    assertThrows(IncompleteMessageException.class, () -> Deltas.finish(sum)).getMessage());
    }
}
