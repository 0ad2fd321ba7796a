import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import java.time.Duration;

/** langchain4j: an assistant with a tool, and research. Arguments: the base URL, a key. */
public class Langchain4j {
    interface Assistant {
        String chat(String message);
    }

    static class Weather {
        @Tool("Reports the weather of a city.")
        String getWeather(@P("The name of the city.") String city) {
            return "It is 3 degrees in " + city + ".";
        }
    }

    public static void main(String[] arguments) {
        Assistant assistant = AiServices.builder(Assistant.class)
                .chatModel(model(arguments, "gpt-4.1"))
                .tools(new Weather())
                .build();
        System.out.println(assistant.chat("[sandbox: call getWeather {\"city\": \"Seoul\"}]"));
        System.out.println(model(arguments, "sonde-research").chat("The history of kimchi"));
    }

    static OpenAiChatModel model(String[] arguments, String name) {
        return OpenAiChatModel.builder()
                .baseUrl(arguments[0])
                .apiKey(arguments[1])
                .modelName(name)
                .timeout(Duration.ofMinutes(30))
                .build();
    }
}
