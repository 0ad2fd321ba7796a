package sonde.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Both clients against a complete installation. */
class StandIT {
    private static final String TOOL = "deep_research";
    private static final ResearchArguments RESEARCH = ResearchArguments.of("짜장면의 역사를 자세히 알려줘");

    private static NodeProgram stand;
    private static SondeClient sonde;
    private static ModelClient model;

    @BeforeAll
    static void start() throws IOException {
        stand = NodeProgram.stand(Map.of("STAND_API_KEYS", "true", "STAND_RESEARCH_MS", "1500"));
        sonde = SondeClient.builder().baseUrl(stand.url("relay")).apiKey("sk-stand").build();
        model = ModelClient.builder().baseUrl(stand.url("model")).apiKey("sk-model").build();
    }

    @AfterAll
    static void stop() throws IOException {
        stand.close();
    }

    @Test
    void runsResearchInTheForeground() {
        Invocation record = sonde.invoke(TOOL, RESEARCH);
        assertEquals("completed", record.status());
        assertTrue(record.outputText().startsWith("# 짜장면의 역사"));
        Citation citation = record.citations().get(0);
        String text = record.outputText();
        int from = text.offsetByCodePoints(0, citation.startIndex());
        assertTrue(text.substring(from, text.offsetByCodePoints(0, citation.endIndex())).contains(citation.url()));
        assertEquals(record.raw().path("invocation_id").asText(), record.invocationId());
    }

    @Test
    void submitsReadsWaitsAndDeletes() {
        Invocation submitted = sonde.submit(TOOL, Map.of("research_question", "The history of kimchi"));
        assertEquals("background", submitted.mode());
        assertEquals(submitted.invocationId(), sonde.get(submitted).invocationId());
        Invocation record = sonde.wait(submitted, Duration.ofMinutes(1));
        assertEquals("completed", record.status());
        assertEquals(submitted.invocationToken(), record.invocationToken());
        sonde.delete(record);
        SondeApiException gone = assertThrows(SondeApiException.class, () -> sonde.get(record));
        assertEquals(404, gone.status());
        assertEquals("invocation_not_found", gone.code());
        assertNotNull(gone.requestId());
    }

    @Test
    void readsARecordByItsStoredIdAndToken() {
        Invocation submitted = sonde.submit(TOOL, RESEARCH);
        Ref stored = Ref.of(submitted.invocationId(), submitted.invocationToken());
        assertEquals("completed", sonde.wait(stored).status());
    }

    @Test
    void reportsTheFieldsOfAValidationError() {
        SondeClient stranger = SondeClient.builder().baseUrl(stand.url("relay")).build();
        SondeApiException refused = assertThrows(SondeApiException.class, stranger::tools);
        assertEquals(401, refused.status());
        assertEquals("missing_api_key", refused.code());
        SondeApiException invalid =
                assertThrows(SondeApiException.class, () -> sonde.submit(TOOL, Map.of("research_question", 7)));
        assertEquals("arguments.research_question", invalid.errors().get(0).path());
    }

    @Test
    void startsNothingTwiceWithOneKey() {
        InvokeOptions options = InvokeOptions.DEFAULT.idempotencyKey("order-4711");
        Invocation first = sonde.submit(TOOL, RESEARCH, options);
        assertEquals(first.invocationId(), sonde.submit(TOOL, RESEARCH, options).invocationId());
    }

    @Test
    void followsEventsAcrossARestartOfTheApi() throws Exception {
        Invocation submitted = sonde.submit(TOOL, RESEARCH, InvokeOptions.DEFAULT.stream(true));
        List<String> ids = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        try (EventStream<InvocationEvent> events = sonde.events(submitted)) {
            for (InvocationEvent event : events) {
                ids.add(event.id());
                text.append(event.text());
                if (ids.size() == 2) control("restart");
            }
        }
        assertEquals(IntStream.rangeClosed(1, ids.size()).mapToObj(String::valueOf).toList(), ids);
        assertEquals(sonde.get(submitted).outputText(), text.toString());
    }

    @Test
    void resumesEventsAfterAnId() {
        Invocation record = sonde.wait(sonde.submit(TOOL, RESEARCH));
        try (EventStream<InvocationEvent> events = sonde.events(record, EventOptions.DEFAULT.lastEventId("2"))) {
            assertEquals("3", events.next().id());
        }
    }

    @Test
    void cancels() {
        Invocation submitted = sonde.submit(TOOL, RESEARCH);
        sonde.cancel(submitted);
        assertEquals("cancelled", sonde.wait(submitted).status());
    }

    @Test
    void listsPageByPage() {
        Invocation first = sonde.wait(sonde.submit(TOOL, RESEARCH));
        Invocation second = sonde.wait(sonde.submit(TOOL, RESEARCH));
        InvocationList page = sonde.list(ListOptions.DEFAULT.toolName(TOOL).limit(1));
        assertEquals(second.invocationId(), page.data().get(0).invocationId());
        assertTrue(page.hasMore());
        InvocationList next = sonde.list(ListOptions.DEFAULT.toolName(TOOL).limit(1).cursor(page.nextCursor()));
        assertEquals(first.invocationId(), next.data().get(0).invocationId());
    }

    @Test
    void describesTheTools() {
        Tool research = sonde.tools().stream()
                .filter(tool -> tool.name().equals(TOOL))
                .findFirst()
                .orElseThrow();
        assertEquals("object", research.parameters().path("type").asText());
    }

    @Test
    void chats() {
        ChatReply greeting = sonde.chat("안녕하세요!");
        assertFalse(greeting.toolCalled());
        assertNull(greeting.chatId());
        ChatReply answer = sonde.chat("짜장면의 역사를 자세히 알려줘");
        assertTrue(answer.toolCalled());
        assertEquals(answer.researchSummary(), sonde.get(answer.toolCalls().get(0)).outputText());
    }

    @Test
    void streamsAChat() {
        StringBuilder text = new StringBuilder();
        ChatReply reply = null;
        try (EventStream<ChatEvent> events = sonde.chatStream(ChatRequest.of("안녕하세요!"))) {
            for (ChatEvent event : events) {
                text.append(event.text());
                reply = event.reply();
            }
        }
        assertNotNull(reply);
        assertEquals(reply.content(), text.toString());
    }

    @Test
    void storesAChat() {
        ChatReply created = sonde.chat(ChatRequest.of("짜장면의 역사를 자세히 알려줘").background(true));
        assertFalse(created.isSettled());
        List<String> types = new ArrayList<>();
        try (EventStream<ChatEvent> events = sonde.chats().events(created)) {
            for (ChatEvent event : events) types.add(event.type());
        }
        assertEquals("completed", types.get(types.size() - 1));
        assertEquals("completed", sonde.chats().wait(created).status());
        sonde.chats().delete(created);
        assertThrows(SondeApiException.class, () -> sonde.chats().get(created));
    }

    @Test
    void resumesAChatAfterAnApproval() {
        ChatReply waits = sonde.chat("Please erase_note");
        assertEquals("requires_action", waits.status());
        String call = waits.requiredAction().approvals().get(0).callId();
        sonde.chats().approve(waits, List.of(Decision.approve(call)));
        assertEquals("completed", sonde.chats().wait(waits).status());
    }

    @Test
    void answersTheQuestionOfTheModel() {
        ChatReply waits = sonde.chat(ChatRequest.of("이거 조사해줘").clarification("auto"));
        RequiredAction.Question question = waits.requiredAction().questions().get(0);
        sonde.chats().answer(waits, List.of(new Answer(question.callId(), "짜장면의 역사")));
        assertTrue(sonde.chats().wait(waits).toolCalled());
    }

    @Test
    void cancelsAChat() {
        ChatReply created = sonde.chat(ChatRequest.of("짜장면의 역사를 자세히 알려줘").background(true));
        sonde.chats().cancel(created);
        assertEquals("cancelled", sonde.chats().wait(created).status());
    }

    @Test
    void callsTheToolForTheModel() {
        List<Invocation> submitted = new ArrayList<>();
        ToolCallingOptions options = ToolCallingOptions.with(sonde).onInvocation(submitted::add);
        ToolCallingResult result = model.createResponseWithToolCalling("짜장면의 역사를 자세히 알려줘", options);
        assertTrue(result.toolCalled());
        assertEquals(submitted.get(0).invocationId(), result.invocationId());
        assertEquals(result.researchSummary(), sonde.get(Ref.of(result.invocationId())).outputText());
        assertFalse(model.createResponseWithToolCalling("안녕하세요!", options).toolCalled());
        assertEquals(1, submitted.size());
    }

    @Test
    void callsTheModelEndpointDirectly() {
        assertTrue(model.createChatCompletion("2 + 3").content().contains("5"));
        ModelResponse created = model.createResponse("2 + 3", ResponseOptions.DEFAULT.background(true));
        ModelResponse response = model.waitForResponse(created.id());
        assertEquals("completed", response.status());
        assertTrue(response.outputText().contains("5"));
        assertEquals(response.outputText(), model.getResponse(created.id()).outputText());
    }

    private static void control(String action) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(stand.url("control") + "/" + action))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        int status = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
        assertEquals(200, status);
    }
}
