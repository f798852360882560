// Runs the program or the calls, and reports how that ended.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Threading;

static class FamiliarFrame {
    const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;
    // So many bytes of stack each call gets.
    const int Stack = 16 << 20;

    static void Say(string how, string text) {
        Console.Out.Flush();
        Console.Error.Write("\n@MARK@" + how.Replace("?", Quoted(text)) + "\n");
        Console.Error.Flush();
    }

    static string Quoted(string text) {
        var plain = new StringBuilder("\"");
        foreach (char letter in text) {
            if (char.IsSurrogate(letter)) plain.Append('?');
            else if (letter < 32 || letter > 126) plain.Append("\\u" + ((int) letter).ToString("x4"));
            else if (letter == '"' || letter == '\\') plain.Append('\\').Append(letter);
            else plain.Append(letter);
        }
        return plain.Append('"').ToString();
    }

    static IEnumerable<object> Items(object value) {
        return ((IEnumerable) value).Cast<object>().Take(1000);
    }

    static bool Is(object value, Type kind) {
        return value.GetType().GetInterfaces().Any(it => it.IsGenericType && it.GetGenericTypeDefinition() == kind);
    }

    static string Shown(object value, int depth) {
        if (value == null) return "null";
        if (depth > 50) return "...";
        if (value is string) return "'" + value + "'";
        if (value is IDictionary) {
            var pairs = new List<string>();
            foreach (DictionaryEntry pair in (IDictionary) value) pairs.Add(Shown(pair.Key, depth + 1) + ": " + Shown(pair.Value, depth + 1));
            if (!value.GetType().Name.StartsWith("Sorted")) pairs.Sort(string.CompareOrdinal);
            return "map{" + string.Join(", ", pairs) + "}";
        }
        if (value is IEnumerable) {
            var all = Items(value).Select(item => Shown(item, depth + 1)).ToList();
            if (!Is(value, typeof(ISet<>))) return "[" + string.Join(", ", all) + "]";
            all.Sort(string.CompareOrdinal);
            return "set{" + string.Join(", ", all) + "}";
        }
        return Convert.ToString(value, CultureInfo.InvariantCulture);
    }

    // A value in the JSON form that all languages share.
    static string Common(object value, int depth) {
        if (value == null || value is DBNull) return "null";
        if (depth > 50) return "{\"other\":\"...\"}";
        if (value is bool) return (bool) value ? "true" : "false";
        if (value is string || value is char || value is StringBuilder) return Quoted(value.ToString());
        if (value is float) return Real(double.Parse(((float) value).ToString("R", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture));
        if (value is double) return Real((double) value);
        if (value is decimal) return Real((double) (decimal) value);
        var type = value.GetType();
        if (type.IsEnum) return "{\"other\":" + Quoted(value.ToString()) + "}";
        if (type.IsPrimitive || value is System.Numerics.BigInteger) {
            var number = System.Numerics.BigInteger.Parse(Convert.ToString(value, CultureInfo.InvariantCulture));
            var size = System.Numerics.BigInteger.Abs(number);
            if (size < System.Numerics.BigInteger.Pow(2, 53)) return number.ToString();
            return "{\"int\":\"" + (number.Sign < 0 ? "-0x" : "0x") + size.ToString("x").TrimStart('0') + "\"}";
        }
        if (value is DictionaryEntry) return Common(new[] { ((DictionaryEntry) value).Key, ((DictionaryEntry) value).Value }, depth);
        if (type.IsGenericType && type.FullName.StartsWith("System.Collections.Generic.KeyValuePair`")) {
            return Common(new[] { type.GetProperty("Key").GetValue(value, null), type.GetProperty("Value").GetValue(value, null) }, depth);
        }
        if (type.IsGenericType && (type.FullName.StartsWith("System.Tuple`") || type.FullName.StartsWith("System.ValueTuple`"))) {
            var properties = type.GetProperties().Where(it => it.Name.StartsWith("Item")).Select(it => it.GetValue(value, null));
            return Common(properties.Concat(type.GetFields().Select(it => it.GetValue(value))).ToArray(), depth);
        }
        if (value is IDictionary) {
            var pairs = ((IDictionary) value).Cast<object>().Select(it => Common(it, depth + 1));
            return "{\"map\":[" + string.Join(",", pairs) + "]}";
        }
        if (value is IEnumerable) {
            var all = "[" + string.Join(",", Items(value).Select(it => Common(it, depth + 1))) + "]";
            return Is(value, typeof(ISet<>)) ? "{\"set\":" + all + "}" : all;
        }
        if (type.Assembly != typeof(FamiliarFrame).Assembly) return "{\"other\":" + Quoted(value.ToString()) + "}";
        var fields = new List<string>();
        foreach (var field in type.GetFields(Any).Where(it => !it.IsStatic)) {
            var name = field.Name.StartsWith("<") ? field.Name.Substring(1, field.Name.IndexOf('>') - 1) : field.Name;
            fields.Add(Quoted(name) + ":" + Common(field.GetValue(value), depth + 10));
        }
        return "{\"object\":" + Quoted(type.Name) + ",\"fields\":{" + string.Join(",", fields) + "}}";
    }

    static string Real(double value) {
        if (double.IsNaN(value)) return "{\"real\":\"NaN\"}";
        if (double.IsInfinity(value)) return "{\"real\":\"" + (value < 0 ? "-" : "") + "Infinity\"}";
        var text = value.ToString("R", CultureInfo.InvariantCulture);
        return text.IndexOfAny(new[] { '.', 'E' }) < 0 ? text + ".0" : text;
    }

    static object Invoked(string owner, string name, object[] values) {
        var types = typeof(FamiliarFrame).Assembly.GetTypes().Where(it => it != typeof(FamiliarFrame));
        Exception refused = new MissingMethodException(owner, name);
        foreach (var type in types.Where(it => owner == "" || it.Name == owner)) {
            foreach (var found in type.GetMethods(Any).Where(it => it.Name == name && it.GetParameters().Length == values.Length)) {
                try {
                    var method = found.IsGenericMethodDefinition ? Made(found, values) : found;
                    var self = method.IsStatic ? null : Activator.CreateInstance(type, true);
                    return method.Invoke(self, values);
                } catch (ArgumentException error) {
                    refused = error;
                }
            }
        }
        throw refused;
    }

    // A method for the types of the values.
    static MethodInfo Made(MethodInfo method, object[] values) {
        var chosen = method.GetGenericArguments().Select(wanted => {
            foreach (var parameter in method.GetParameters()) {
                var kind = parameter.ParameterType;
                var value = values[parameter.Position];
                if (value == null) continue;
                if (kind == wanted) return value.GetType();
                if (kind.IsArray && kind.GetElementType() == wanted) return value.GetType().GetElementType();
                if (kind.IsGenericType && value.GetType().IsGenericType) {
                    var place = Array.IndexOf(kind.GetGenericArguments(), wanted);
                    var given = value.GetType().GetGenericArguments();
                    if (place >= 0 && place < given.Length) return given[place];
                }
            }
            return typeof(int);
        });
        return method.MakeGenericMethod(chosen.ToArray());
    }

    static Exception Cause(Exception error) {
        return error is TargetInvocationException && error.InnerException != null ? error.InnerException : error;
    }

    static void Call(string owner, string name, Func<object[]> inputs) {
        try {
            var values = inputs();
            var result = Invoked(owner, name, values);
            Say("{\"called\":{\"returned\":?}}", Shown(result, 0) + " after " + Shown(values, 0));
        } catch (Exception error) {
            Say("{\"called\":{\"raised\":?}}", Cause(error).GetType().FullName);
        }
    }

    static int late = 0;
    static readonly HashSet<int> hits = new HashSet<int>();

    public static void Hit(int place) {
        lock (hits) hits.Add(place);
    }

    static void Covered() {
        Console.Error.Write("\n@MARK@{\"covered\":{\"ran\":" + hits.Count + ",\"all\":0}}\n");
        Console.Error.Flush();
    }

    // One call in a thread of its own, so that it can be left alone when it takes too long.
    static void Value(string owner, string name, int patience, Func<object[]> inputs) {
        if (late == 6) {
            Say("{\"called\":{\"raised\":?}}", "familiar.TooLong");
            return;
        }
        var before = Console.Out;
        var printed = new StringWriter();
        string result = null, raised = null;
        var thread = new Thread(() => {
            try {
                var values = inputs();
                var value = Common(Invoked(owner, name, values), 0);
                result = "{\"value\":" + value + ",\"after\":" + Common(values, 0) + ",\"printed\":" + Quoted(printed.ToString()) + "}";
            } catch (ThreadAbortException) {
                Thread.ResetAbort();
            } catch (Exception error) {
                raised = Cause(error).GetType().FullName;
            }
        }, Stack);
        thread.IsBackground = true;
        Console.SetOut(printed);
        thread.Start();
        if (!thread.Join(patience)) {
            raised = "familiar.TooLong";
            result = null;
            late++;
            thread.Abort();
            thread.Join(100);
        }
        Console.SetOut(before);
        if (result != null) Say("{\"called\":{\"returned\":?}}", result);
        else Say("{\"called\":{\"raised\":?}}", raised ?? "familiar.TooLong");
    }

    static void Calls() {
@CALLS@
    }

    static void Run() {
        var types = typeof(FamiliarFrame).Assembly.GetTypes().Where(it => it != typeof(FamiliarFrame));
        var mains = types.SelectMany(it => it.GetMethods(Any)).Where(it => it.Name == "Main" && it.IsStatic);
        // A test has the last word.
        var main = mains.LastOrDefault(it => it.DeclaringType.Name == "@MAIN@") ?? mains.LastOrDefault();
        if (main == null) throw new MissingMethodException("Main");
        var result = main.Invoke(null, main.GetParameters().Length == 0 ? null : new object[] { new string[0] });
        if (result is System.Threading.Tasks.Task) ((System.Threading.Tasks.Task) result).GetAwaiter().GetResult();
        else if (result is int && (int) result != 0) {
            Console.Out.Flush();
            Environment.Exit((int) result);
        }
    }

    static int Main() {
        var plain = new UTF8Encoding(false);
        Console.SetIn(new StreamReader(Console.OpenStandardInput(), plain));
        Console.SetOut(new StreamWriter(Console.OpenStandardOutput(), plain));
        Console.SetError(new StreamWriter(Console.OpenStandardError(), plain) { AutoFlush = true });
        CultureInfo.DefaultThreadCurrentCulture = Thread.CurrentThread.CurrentCulture = CultureInfo.InvariantCulture;
        try {
            if (@HAS@) Calls();
            else Run();
            Say("{\"end\":\"finished\"}", "");
            return 0;
        } catch (Exception error) {
            Console.Error.Write(Cause(error));
            Say("{\"end\":{\"raised\":?}}", Cause(error).GetType().FullName);
            return 1;
        }
    }
}
