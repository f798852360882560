// Runs the program or the calls, and reports how that ended.
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

class FamiliarFrame {
    static void say(String how, String text) {
        StringBuilder plain = new StringBuilder();
        for (char letter : text.toCharArray()) {
            if (letter < 32 || letter > 126) plain.append(String.format("\\u%04x", (int) letter));
            else if (letter == '"' || letter == '\\') plain.append('\\').append(letter);
            else plain.append(letter);
        }
        System.out.flush();
        System.err.print("\n@MARK@" + how.replace("?", "\"" + plain + "\"") + "\n");
        System.err.flush();
    }

    static String shown(Object value, int depth) {
        if (value == null) return "null";
        if (depth > 50) return "...";
        if (value.getClass().isArray()) {
            StringJoiner all = new StringJoiner(", ", "[", "]");
            for (int i = 0; i < Array.getLength(value); i++) all.add(shown(Array.get(value, i), depth + 1));
            return all.toString();
        }
        if (value instanceof Set) {
            Stream<String> each = ((Set<?>) value).stream().map(item -> shown(item, depth + 1));
            return "set{" + each.sorted().collect(Collectors.joining(", ")) + "}";
        }
        if (value instanceof Map) {
            Stream<String> each = ((Map<?, ?>) value).entrySet().stream()
                .map(entry -> shown(entry.getKey(), depth + 1) + ": " + shown(entry.getValue(), depth + 1));
            return "map{" + (value instanceof SortedMap ? each : each.sorted()).collect(Collectors.joining(", ")) + "}";
        }
        if (value instanceof Iterable) {
            StringJoiner all = new StringJoiner(", ", "[", "]");
            for (Object item : (Iterable<?>) value) all.add(shown(item, depth + 1));
            return all.toString();
        }
        if (value instanceof String) return "'" + value + "'";
        return String.valueOf(value).replaceAll("@[0-9a-f]+$", "");
    }

    static void call(String owner, String name, Supplier<Object[]> inputs) {
        try {
            Object[] values = inputs.get();
            Class<?> type = Class.forName(owner);
            IllegalArgumentException refused = new IllegalArgumentException(name);
            for (Method method : type.getDeclaredMethods()) {
                if (!method.getName().equals(name) || method.getParameterCount() != values.length) continue;
                method.setAccessible(true);
                Object self = null;
                if (!Modifier.isStatic(method.getModifiers())) {
                    Constructor<?> maker = type.getDeclaredConstructor();
                    maker.setAccessible(true);
                    self = maker.newInstance();
                }
                Object result;
                try {
                    result = method.invoke(self, values);
                } catch (IllegalArgumentException error) {
                    refused = error;
                    continue;
                }
                say("{\"called\":{\"returned\":?}}", shown(result, 0) + " after " + shown(values, 0));
                return;
            }
            throw refused;
        } catch (InvocationTargetException error) {
            say("{\"called\":{\"raised\":?}}", error.getCause().getClass().getName());
        } catch (Throwable error) {
            say("{\"called\":{\"raised\":?}}", error.getClass().getName());
        }
    }

    static void calls() {
        @CALLS@
    }

    static void program() throws Throwable {
        Method main = Class.forName("@MAIN@").getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, (Object) new String[0]);
    }

    public static void main(String[] arguments) {
        try {
            if (FamiliarFrame.HAS_CALLS) calls();
            else program();
            say("{\"end\":\"finished\"}", "");
        } catch (Throwable error) {
            Throwable cause = error instanceof InvocationTargetException ? error.getCause() : error;
            cause.printStackTrace();
            say("{\"end\":{\"raised\":?}}", cause.getClass().getName());
            System.exit(1);
        }
    }

    static final boolean HAS_CALLS = @HAS@;
}
