package sonde.client.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import sonde.client.ModelClient;
import sonde.client.SondeClient;

/** What a run works with; `model`, `sonde` and `tokens` are null where it needs none. */
record Run(Flags flags, String prompt, Output output, Interrupt interrupt, ModelClient model, SondeClient sonde,
        Tokens tokens) {
    /** The limit of single calls: the run as a whole has one of its own. */
    static final Duration ANY_TIME = Duration.ofDays(1);

    /** What is said instead of a report, by Sonde and by tool calling alike. */
    static final String RESEARCH_FAILED = "deep_research failed. Please retry later.";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    /** On one line, in the words of the wire. */
    static String json(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result cannot be serialized as JSON", e);
        }
    }

    /**
     * How long Sonde is to hold the reply to a run in the foreground. The unfinished record that comes then says how to
     * find what goes on, before `--timeout` passes; and a wait for that outlives a restart of the service.
     */
    Duration held() {
        return Duration.ofSeconds(Math.min(2, flags.timeout().dividedBy(2).toSeconds()));
    }

    boolean json() {
        return flags.has("--json");
    }

    boolean stream() {
        return flags.has("--stream");
    }
}
