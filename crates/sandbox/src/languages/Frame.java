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

    // A value in the JSON form that all languages share.
    static String common(Object value, int depth) {
        if (value == null || value instanceof Boolean) return String.valueOf(value);
        if (depth > 50) return "{\"other\":\"...\"}";
        if (value instanceof Float || value instanceof Double) {
            double real = value instanceof Float ? Double.parseDouble(value.toString()) : (Double) value;
            return Double.isFinite(real) ? Double.toString(real) : "{\"real\":\"" + real + "\"}";
        }
        if (value instanceof java.math.BigDecimal) return common(((java.math.BigDecimal) value).doubleValue(), depth);
        if (value instanceof Number) {
            java.math.BigInteger number = new java.math.BigInteger(value instanceof java.util.concurrent.atomic.LongAdder
                ? String.valueOf(((Number) value).longValue()) : value.toString());
            return number.abs().bitLength() <= 53 ? number.toString()
                : "{\"int\":\"" + (number.signum() < 0 ? "-0x" : "0x") + number.abs().toString(16) + "\"}";
        }
        if (value instanceof CharSequence || value instanceof Character) return quoted(value.toString());
        if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            return "[" + common(entry.getKey(), depth + 1) + "," + common(entry.getValue(), depth + 1) + "]";
        }
        if (value instanceof Optional) return common(((Optional<?>) value).orElse(null), depth + 1);
        if (value instanceof Map) value = wrap("map", ((Map<?, ?>) value).entrySet());
        else if (value instanceof Set) value = wrap("set", (Set<?>) value);
        if (value instanceof Written) return ((Written) value).text;
        if (value instanceof Stream) value = ((Stream<?>) value).limit(1000).collect(Collectors.toList());
        if (value instanceof IntStream) value = ((IntStream) value).limit(1000).toArray();
        if (value instanceof Iterator) {
            List<Object> first = new ArrayList<>();
            for (Iterator<?> each = (Iterator<?>) value; each.hasNext() && first.size() < 1000;) first.add(each.next());
            value = first;
        }
        StringJoiner all = new StringJoiner(",", "[", "]");
        if (value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) all.add(common(Array.get(value, i), depth + 1));
            return all.toString();
        }
        if (value instanceof Iterable && !(value instanceof java.nio.file.Path)) {
            for (Object item : (Iterable<?>) value) all.add(common(item, depth + 1));
            return all.toString();
        }
        if (value instanceof Enum || value.getClass().getName().startsWith("java")) {
            return "{\"other\":" + quoted(String.valueOf(value).replaceAll("@[0-9a-f]+", "")) + "}";
        }
        StringJoiner fields = new StringJoiner(",", "{", "}");
        for (Field field : value.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
            try {
                field.setAccessible(true);
                fields.add(quoted(field.getName()) + ":" + common(field.get(value), depth + 10));
            } catch (ReflectiveOperationException | RuntimeException error) {
                continue;
            }
        }
        return "{\"object\":" + quoted(value.getClass().getSimpleName()) + ",\"fields\":" + fields + "}";
    }

    static class Written {
        String text;
    }

    static Written wrap(String kind, Collection<?> items) {
        StringJoiner all = new StringJoiner(",", "{\"" + kind + "\":[", "]}");
        for (Object item : items) all.add(common(item, 1));
        Written written = new Written();
        written.text = all.toString();
        return written;
    }

    static String quoted(String text) {
        StringBuilder plain = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            boolean half = Character.isSurrogate(letter);
            if (letter < 32 || letter > 126 && !half) plain.append(String.format("\\u%04x", (int) letter));
            else if (half) plain.append("?");
            else if (letter == '"' || letter == '\\') plain.append('\\').append(letter);
            else plain.append(letter);
        }
        return plain.append('"').toString();
    }

    @SuppressWarnings("unchecked")
    static <C extends Collection> C list(C to, Object... items) {
        to.addAll(Arrays.asList(items));
        return to;
    }

    @SuppressWarnings("unchecked")
    static <M extends Map> M map(M to, Object... items) {
        for (int i = 0; i + 1 < items.length; i += 2) to.put(items[i], items[i + 1]);
        return to;
    }

    static int late = 0;
    static final BitSet hits = new BitSet();

    static void hit(int place) {
        hits.set(place);
    }

    static void covered() {
        System.err.print("\n@MARK@{\"covered\":{\"ran\":" + hits.cardinality() + ",\"all\":0}}\n");
        System.err.flush();
    }

    static String invoked(String owner, String name, Object[] values) throws Throwable {
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
            try {
                return common(method.invoke(self, values), 0);
            } catch (IllegalArgumentException error) {
                refused = error;
            }
        }
        throw refused;
    }

    // One call in a thread of its own, so that it can be left alone when it takes too long.
    static void value(String owner, String name, int patience, Supplier<Object[]> inputs) {
        if (late == 6) {
            say("{\"called\":{\"raised\":?}}", "familiar.TooLong");
            return;
        }
        java.io.PrintStream before = System.out;
        java.io.ByteArrayOutputStream printed = new java.io.ByteArrayOutputStream();
        String[] seen = { null, null };
        Thread thread = new Thread(() -> {
            try {
                Object[] values = inputs.get();
                String result = invoked(owner, name, values);
                System.out.flush();
                String output = printed.toString("UTF-8");
                seen[0] = "{\"value\":" + result + ",\"after\":" + common(values, 0) + ",\"printed\":" + quoted(output) + "}";
            } catch (Throwable error) {
                Throwable cause = error instanceof InvocationTargetException ? error.getCause() : error;
                seen[1] = cause.getClass().getName();
            }
        });
        thread.setDaemon(true);
        System.setOut(new java.io.PrintStream(printed, true));
        thread.start();
        try {
            thread.join(patience);
        } catch (InterruptedException error) {
            seen[1] = "java.lang.InterruptedException";
        }
        String result = seen[0], raised = seen[1];
        if (result == null && raised == null) {
            raised = "familiar.TooLong";
            late++;
            thread.stop();
        }
        System.setOut(before);
        if (result != null) say("{\"called\":{\"returned\":?}}", result);
        else say("{\"called\":{\"raised\":?}}", raised);
    }

    static void calls() {
        @CALLS@
    }

    @PARTS@

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
