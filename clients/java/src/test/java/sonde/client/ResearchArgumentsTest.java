package sonde.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResearchArgumentsTest {
    @Test
    void holdTextsAndFilesAsTheServiceNamesThem() {
        ResearchArguments arguments = ResearchArguments.of("q")
                .documents(List.of(new Document("t", "text"), FileDocument.of("a.pdf", "%PDF".getBytes())));
        assertEquals(
                Json.tree(List.of(
                        Map.of("title", "t", "text", "text"),
                        Map.of("filename", "a.pdf", "file_data", "JVBERg=="))),
                Json.tree(arguments).get("documents"));
    }
}
