package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** The definition of {@code deep_research} for models, as a function of the Responses API. */
final class ResearchTool {
    static final String NAME = "deep_research";

    private static final String DESCRIPTION =
            """
            {
              "type": "function",
              "name": "deep_research",
              "description": "Researches a question on the web for minutes and returns a cited report. \
            Use it when the user asks for an in-depth, detailed, historical, comparative or current \
            investigation that needs sources; not for greetings or simple questions.",
              "strict": true,
              "parameters": {
                "type": "object",
                "properties": {
                  "research_question": {
                    "type": "string",
                    "description": "The question to research, complete in itself."
                  },
                  "context": {
                    "type": ["array", "null"],
                    "items": { "type": "string" },
                    "description": "Facts that the answer should start from."
                  },
                  "constraints": {
                    "type": ["array", "null"],
                    "items": { "type": "string" },
                    "description": "Limits that the research must keep to."
                  },
                  "deliverable_format": {
                    "type": ["string", "null"],
                    "enum": ["markdown_brief", "markdown_report", "json_outline", null],
                    "description": "The form of the result."
                  }
                },
                "required": [
                  "research_question",
                  "context",
                  "constraints",
                  "deliverable_format"
                ],
                "additionalProperties": false
              }
            }
            """;

    private ResearchTool() {}

    static JsonNode description() {
        try {
            return Json.parse(DESCRIPTION);
        } catch (IOException e) {
            throw new IllegalStateException("the description of the tool is not valid JSON", e);
        }
    }
}
