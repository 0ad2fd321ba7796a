package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Methods with {@link ModelFunction} as functions. */
final class AnnotatedFunctions {
    private AnnotatedFunctions() {}

    /** @throws SondeUsageException if it has none, or the name of an argument is not known */
    static List<ChatFunction> of(Object object) {
        List<ChatFunction> functions = Stream.of(object.getClass().getMethods(), object.getClass().getDeclaredMethods())
                .flatMap(Stream::of)
                .distinct()
                .filter(method -> method.isAnnotationPresent(ModelFunction.class))
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> function(object, method))
                .toList();
        if (functions.isEmpty())
            throw new SondeUsageException(object.getClass().getName() + " has no method with @ModelFunction");
        return functions;
    }

    private static ChatFunction function(Object object, Method method) {
        method.setAccessible(true);
        Map<String, Type> types = new LinkedHashMap<>();
        Map<String, Map<String, Object>> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            ModelArgument argument = parameter.getAnnotation(ModelArgument.class);
            String name = nameOf(method, parameter, argument);
            Type type = parameter.getParameterizedType();
            Map<String, Object> schema = new LinkedHashMap<>(FunctionSchema.of(FunctionSchema.present(type)));
            if (argument != null && !argument.value().isEmpty()) schema.put("description", argument.value());
            properties.put(name, schema);
            types.put(name, type);
            if (!FunctionSchema.isOptional(type)) required.add(name);
        }
        ModelFunction marked = method.getAnnotation(ModelFunction.class);
        String name = marked.name().isEmpty() ? method.getName() : marked.name();
        ChatFunction function = ChatFunction.of(
                name, marked.value(), FunctionSchema.object(properties, required), arguments -> invoked(object, method, types, arguments));
        return marked.strict() ? function.strict(true) : function;
    }

    private static String nameOf(Method method, Parameter parameter, ModelArgument argument) {
        if (argument != null && !argument.name().isEmpty()) return argument.name();
        if (parameter.isNamePresent()) return parameter.getName();
        throw new SondeUsageException("an argument of " + method.getName()
                + " has no name: compile with -parameters, or give it one with @ModelArgument(name = …)");
    }

    private static Object invoked(Object object, Method method, Map<String, Type> types, JsonNode arguments)
            throws Exception {
        List<Object> values = new ArrayList<>();
        for (Map.Entry<String, Type> each : types.entrySet()) values.add(value(arguments, each.getKey(), each.getValue()));
        try {
            return method.invoke(object, values.toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) throw cause;
            throw e;
        }
    }

    private static Object value(JsonNode arguments, String name, Type type) {
        boolean optional = FunctionSchema.isOptional(type);
        JsonNode given = Json.orNull(arguments.get(name));
        if (given == null && !optional) throw new IllegalArgumentException(name + " is missing");
        Object value = given == null ? null : Json.argument(given, FunctionSchema.present(type), name);
        return optional ? Optional.ofNullable(value) : value;
    }
}
