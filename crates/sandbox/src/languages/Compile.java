// Compiles the program in each folder by itself, and says which of them compiled: javac starts once for all. No program runs here.
import java.io.OutputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

class FamiliarCompile {
    public static void main(String[] folders) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        OutputStream nowhere = OutputStream.nullOutputStream();
        for (String folder : folders) {
            int failed = compiler.run(null, nowhere, nowhere, "-nowarn", "-proc:none", "-encoding", "UTF-8",
                "-cp", folder, "-d", folder, folder + "/Program.java", folder + "/FamiliarFrame.java");
            if (failed == 0) System.out.println(folder);
            System.out.flush();
        }
    }
}
