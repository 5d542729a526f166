import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;

/**
 * Runs Kafka's own command line tools, many in one process: starting a JVM for each would cost seconds.
 * Standard input: one command a line, its class and arguments parted by tabs.
 * Standard output: for each command a line "lengthOfOutput lengthOfErrors exitStatus", then the output and the errors.
 */
public class Commands {
    /** What a tool has called exit with; thrown in place of the end of the process. */
    static final class Exited extends RuntimeException { }

    /** The first status of the command that runs; a tool that catches everything calls exit again when it catches Exited. */
    static Integer status;

    /** Where System.out goes now. scala.Console keeps the first System.out that it sees, so that one never changes. */
    static final class Switch extends OutputStream {
        ByteArrayOutputStream now = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) {
            now.write(b);
        }

        @Override
        public synchronized void write(byte[] b, int off, int len) {
            now.write(b, off, len);
        }

        synchronized byte[] take() {
            byte[] out = now.toByteArray();
            now = new ByteArrayOutputStream();
            return out;
        }
    }

    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        Switch out = new Switch();
        System.setOut(new PrintStream(out, true, "UTF-8"));
        Switch err = new Switch();
        System.setErr(new PrintStream(err, true, "UTF-8"));
        catchExit();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int status = run(line.split("\t", -1));
            System.out.flush();
            System.err.flush();
            byte[] output = out.take();
            byte[] errors = err.take();
            answers.print(output.length + " " + errors.length + " " + status + "\n");
            answers.write(output);
            answers.write(errors);
            answers.flush();
        }
    }

    /** Makes Kafka's exit and halt throw Exited. Their class has moved between releases. */
    static void catchExit() throws ReflectiveOperationException {
        Class<?> exit;
        try {
            exit = Class.forName("org.apache.kafka.common.utils.internals.Exit");
        } catch (ClassNotFoundException e) {
            exit = Class.forName("org.apache.kafka.common.utils.Exit");
        }
        Class<?> procedure = Class.forName(exit.getName() + "$Procedure");
        Object exited = Proxy.newProxyInstance(Commands.class.getClassLoader(), new Class<?>[] {procedure}, (self, method, args) -> {
            if (status == null) {
                status = (Integer) args[0];
            }
            throw new Exited();
        });
        exit.getMethod("setExitProcedure", procedure).invoke(null, exited);
        exit.getMethod("setHaltProcedure", procedure).invoke(null, exited);
    }

    static int run(String[] words) {
        String[] args = java.util.Arrays.copyOfRange(words, 1, words.length);
        status = null;
        try {
            Class.forName(words[0]).getMethod("main", String[].class).invoke(null, (Object) args);
            return 0;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exited) {
                return status;
            }
            e.getCause().printStackTrace();
            return 1;
        } catch (ReflectiveOperationException e) {
            e.printStackTrace();
            return 1;
        }
    }
}
