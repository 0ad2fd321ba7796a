import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import java.time.Duration;

/** OpenAI's package for Java: a completion, and research. Arguments: the base URL, a key. */
public class OpenaiJava {
    public static void main(String[] arguments) {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(arguments[0])
                .apiKey(arguments[1])
                .timeout(Duration.ofMinutes(30))
                .build();
        ChatCompletionCreateParams chat = ChatCompletionCreateParams.builder()
                .model("gpt-4.1")
                .addUserMessage("[sandbox: answer \"It is 3 degrees in Seoul.\"]")
                .build();
        client.chat().completions().create(chat).choices().get(0).message().content().ifPresent(System.out::println);

        ResponseCreateParams research = ResponseCreateParams.builder()
                .model("sonde-research")
                .input("The history of kimchi")
                .build();
        client.responses().create(research).output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(content -> content.outputText().stream())
                .forEach(text -> System.out.println(text.text()));
        client.close();
    }
}
