package sonde.client.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import sonde.client.ModelClient;
import sonde.client.PlanDecision;
import sonde.client.SondeClient;

/** Context of a run; {@code edited} is the plan that replaces the proposed one. {@code model}, {@code sonde} and {@code tokens} are null if not needed. */
record Run(Flags flags, String prompt, PlanDecision.Edited edited, Output output, Interrupt interrupt, ModelClient model, SondeClient sonde,
        Tokens tokens) {
    /** Time limit of single calls; the run as a whole has its own. */
    static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    /** Replaces the report of a failed research, in Sonde and in tool calling alike. */
    static final String RESEARCH_FAILED = "deep_research failed. Please retry later.";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    /** Serializes to one line, with the field names of the wire. */
    static String json(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result cannot be serialized as JSON", e);
        }
    }

    /**
     * Time that Sonde may delay its reply to a run in the foreground. The unfinished record that it then returns
     * provides the id before {@code --timeout} elapses, and waiting for that id survives a restart of the service.
     */
    Duration foregroundWait() {
        return Duration.ofSeconds(Math.min(2, flags.timeout().dividedBy(2).toSeconds()));
    }

    boolean json() {
        return flags.has("--json");
    }

    boolean stream() {
        return flags.has("--stream");
    }
}
