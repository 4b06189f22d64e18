import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The workloads par-… on streams and parallelSort, by the protocol of README.md. */
public final class Loops {
    private Loops() {}

    record Outcome(long ns, String result) {}

    record Timed<T>(long ns, T value) {}

    /** The index-th number of SplitMix64. */
    static long splitmix(long seed, long index) {
        long z = seed + (index + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** The least work that a loop can have: about a nanosecond. */
    static long step(long x) {
        return x * 6364136223846793005L + 1442695040888963407L;
    }

    static String digest(long[] all) {
        long sum = 0;
        for (int i = 0; i < all.length; i++) {
            sum += (i + 1) * all[i];
        }
        return Long.toUnsignedString(sum);
    }

    /** Where the work is done: in a pool, or plainly in the thread that asks. */
    record Place(ForkJoinPool pool) {
        boolean parallel() {
            return pool != null;
        }

        IntStream range(int n) {
            var range = IntStream.range(0, n);
            return parallel() ? range.parallel() : range;
        }

        LongStream over(long[] all) {
            var stream = Arrays.stream(all);
            return parallel() ? stream.parallel() : stream;
        }

        <T> Timed<T> timed(Supplier<T> work) {
            long begin = System.nanoTime();
            T value = parallel() ? pool.submit(work::get).join() : work.get();
            return new Timed<>(Math.max(1, System.nanoTime() - begin), value);
        }

        long timed(Runnable work) {
            return timed(() -> {
                work.run();
                return null;
            }).ns;
        }
    }

    // The last input: making it takes longer than most runs.
    private static String keptKey = "";
    private static Object kept;

    @SuppressWarnings("unchecked") // A key stands for one type.
    private static <T> T kept(String key, Supplier<T> make) {
        if (!keptKey.equals(key)) {
            kept = null;
            kept = make.get();
            keptKey = key;
        }
        return (T) kept;
    }

    private static long[] numbers(int n) {
        return kept("random " + n, () -> {
            var all = new long[n];
            Arrays.setAll(all, i -> splitmix(1, i));
            return all;
        });
    }

    private static String letters(long i) {
        var b = new StringBuilder();
        long n = 8 + Long.remainderUnsigned(splitmix(2, 4 * i), 17);
        for (int k = 0; k < n; k++) {
            long word = splitmix(2, 4 * i + 1 + k / 8);
            b.append((char) ('a' + (word >>> (8 * (k % 8)) & 0xff) % 26));
        }
        return b.toString();
    }

    static Outcome forEach(Place in, int n) {
        var out = new long[n];
        long ns = in.timed(() -> {
            if (!in.parallel()) {
                for (int i = 0; i < n; i++) {
                    out[i] = step(i);
                }
                return;
            }
            in.range(n).forEach(i -> out[i] = step(i));
        });
        return new Outcome(ns, digest(out));
    }

    static Outcome nested(Place in, int n) {
        int side = (int) Math.round(Math.sqrt(n));
        var out = new long[side * side];
        long ns = in.timed(() -> {
            if (!in.parallel()) {
                for (int i = 0; i < side; i++) {
                    for (int j = 0; j < side; j++) {
                        out[i * side + j] = step(i * side + j);
                    }
                }
                return;
            }
            in.range(side).forEach(i -> in.range(side).forEach(j -> out[i * side + j] = step(i * side + j)));
        });
        return new Outcome(ns, digest(out));
    }

    record Triad(double[] b, double[] c) {}

    static Outcome triad(Place in, int n) {
        Triad t = kept("triad " + n, () -> {
            var made = new Triad(new double[n], new double[n]);
            for (int i = 0; i < n; i++) {
                made.b[i] = i % 1000;
                made.c[i] = i % 7;
            }
            return made;
        });
        var a = new double[n];
        double[] b = t.b, c = t.c;
        long ns = in.timed(() -> {
            if (!in.parallel()) {
                for (int i = 0; i < n; i++) {
                    a[i] = b[i] + 3 * c[i];
                }
                return;
            }
            in.range(n).forEach(i -> a[i] = b[i] + 3 * c[i]);
        });
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += (i + 1) * (long) a[i];
        }
        return new Outcome(ns, Long.toUnsignedString(sum));
    }

    static Outcome map(Place in, int n) {
        var all = numbers(n);
        var run = in.timed(() -> in.over(all).map(Loops::step).toArray());
        return new Outcome(run.ns, digest(run.value));
    }

    static Outcome mapInto(Place in, int n) {
        var all = numbers(n);
        var out = new long[n];
        long ns = in.timed(() -> {
            if (in.parallel()) {
                Arrays.parallelSetAll(out, i -> step(all[i]));
            } else {
                Arrays.setAll(out, i -> step(all[i]));
            }
        });
        return new Outcome(ns, digest(out));
    }

    static Outcome filter(Place in, int n) {
        var all = numbers(n);
        var run = in.timed(() -> in.over(all).filter(x -> (x & 1) == 1).toArray());
        return new Outcome(run.ns, digest(run.value));
    }

    static Outcome reduce(Place in, int n) {
        var all = numbers(n);
        var run = in.timed(() -> in.over(all).reduce(0, (a, b) -> a + b));
        return new Outcome(run.ns, Long.toUnsignedString(run.value));
    }

    static Outcome sum(Place in, int n) {
        var all = numbers(n);
        var run = in.timed(() -> in.over(all).sum());
        return new Outcome(run.ns, Long.toUnsignedString(run.value));
    }

    /** The numbers are unsigned, so the least is that of those with the first bit changed. */
    static Outcome min(Place in, int n) {
        var all = numbers(n);
        var run = in.timed(() -> in.over(all).map(x -> x ^ Long.MIN_VALUE).min().getAsLong());
        return new Outcome(run.ns, Long.toUnsignedString(run.value ^ Long.MIN_VALUE));
    }

    static Outcome scan(Place in, int n) {
        var all = numbers(n);
        var run = in.timed(() -> {
            var out = all.clone();
            if (in.parallel()) {
                Arrays.parallelPrefix(out, (a, b) -> a + b);
            } else {
                for (int i = 1; i < n; i++) {
                    out[i] += out[i - 1];
                }
            }
            return out;
        });
        return new Outcome(run.ns, digest(run.value));
    }

    static Outcome find(Place in, int n, int at) {
        long[] all = kept("find " + at + " " + n, () -> {
            var made = new long[n];
            if (at < n) {
                made[at] = 1;
            }
            return made;
        });
        var run = in.timed(() -> in.range(n).filter(i -> all[i] != 0).findFirst().orElse(n));
        return new Outcome(run.ns, Integer.toString(run.value));
    }

    /** The inputs of sorts. */
    private static long sortKey(String input, long i, long n) {
        return switch (input) {
            case "sorted" -> i << 20;
            case "reverse" -> (n - i) << 20;
            case "few" -> Long.remainderUnsigned(splitmix(1, i), 16) << 40;
            case "almost" -> (Long.remainderUnsigned(splitmix(1, 2 * i), 100) == 0 ? Long.remainderUnsigned(splitmix(1, 2 * i + 1), n) : i) << 20;
            case "exponential" -> splitmix(1, 2 * i) >>> Long.remainderUnsigned(splitmix(1, 2 * i + 1), 64);
            default -> splitmix(1, i);
        };
    }

    static Outcome sortInt(Place in, int n, String input) {
        long[] all = kept("ints " + input + " " + n, () -> {
            var made = new long[n];
            Arrays.setAll(made, i -> sortKey(input, i, n));
            return made;
        });
        var a = all.clone();
        long ns = in.timed(() -> {
            if (in.parallel()) {
                Arrays.parallelSort(a);
            } else {
                Arrays.sort(a);
            }
        });
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i > 0 && a[i - 1] > a[i]) {
                return new Outcome(ns, "unsorted");
            }
            sum += i * a[i];
        }
        return new Outcome(ns, Long.toUnsignedString(sum));
    }

    /** Sorts plainly for one worker: in a pool of one, OpenJDK 17 hangs in parallelSort of objects. */
    private static long sortStringsOf(Place in, String[] a) {
        return in.timed(() -> {
            if (in.parallel() && in.pool.getParallelism() > 1) {
                Arrays.parallelSort(a);
            } else {
                Arrays.sort(a);
            }
        });
    }

    static Outcome sortStrings(Place in, int n) {
        String[] all = kept("strings " + n, () -> IntStream.range(0, n).mapToObj(Loops::letters).toArray(String[]::new));
        var a = all.clone();
        long ns = sortStringsOf(in, a);
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i > 0 && a[i - 1].compareTo(a[i]) > 0) {
                return new Outcome(ns, "unsorted");
            }
            long hash = 0xcbf29ce484222325L;
            for (int k = 0; k < a[i].length(); k++) {
                hash = (hash ^ a[i].charAt(k)) * 0x100000001b3L;
            }
            sum += (i + 1) * hash;
        }
        return new Outcome(ns, Long.toUnsignedString(sum));
    }

    private static void each(Place in, int n, IntConsumer body) {
        if (in.parallel()) {
            in.range(n).forEach(body);
            return;
        }
        for (int i = 0; i < n; i++) {
            body.accept(i);
        }
    }

    private static int root(int n) {
        return (int) Math.round(Math.sqrt(n));
    }

    private static double unit(long i) {
        return (splitmix(1, i) >>> 11) / (double) (1L << 53);
    }

    private static String bitsDigest(double[] all) {
        return digest(Arrays.stream(all).mapToLong(Double::doubleToRawLongBits).toArray());
    }

    static Outcome mandelbrot(Place in, int n) {
        int side = root(n);
        var out = new long[side * side];
        long ns = in.timed(() -> each(in, side, i -> {
            double y = 3 * (double) i / side - 1.5;
            for (int j = 0; j < side; j++) {
                out[i * side + j] = escape(3 * (double) j / side - 2, y);
            }
        }));
        return new Outcome(ns, digest(out));
    }

    private static long escape(double cx, double cy) {
        double x = 0;
        double y = 0;
        long steps = 0;
        for (; steps < 200; steps++) {
            double xx = x * x;
            double yy = y * y;
            if (xx + yy > 4) {
                break;
            }
            y = 2 * x * y + cy;
            x = xx - yy + cx;
        }
        return steps;
    }

    /** A body is three numbers in a row, as it is elsewhere. */
    static Outcome bodies(Place in, int pairs) {
        int n = root(pairs);
        double[] all = kept("bodies " + n, () -> IntStream.range(0, 3 * n).mapToDouble(Loops::unit).toArray());
        var out = new double[3 * n];
        long ns = in.timed(() -> each(in, n, i -> {
            double ax = 0;
            double ay = 0;
            double az = 0;
            for (int k = 0; k < 3 * n; k += 3) {
                double dx = all[k] - all[3 * i];
                double dy = all[k + 1] - all[3 * i + 1];
                double dz = all[k + 2] - all[3 * i + 2];
                double d = dx * dx + dy * dy + dz * dz + 1e-9;
                double f = 1 / (d * Math.sqrt(d));
                ax += dx * f;
                ay += dy * f;
                az += dz * f;
            }
            out[3 * i] = ax;
            out[3 * i + 1] = ay;
            out[3 * i + 2] = az;
        }));
        return new Outcome(ns, bitsDigest(out));
    }

    static Outcome life(Place in, int cells) {
        int n = root(cells);
        var board = new byte[2][n * n];
        for (int i = 0; i < n * n; i++) {
            board[0][i] = (byte) (splitmix(1, i) & 1);
        }
        long ns = in.timed(() -> {
            for (int step = 0; step < 100; step++) {
                byte[] now = board[step % 2];
                byte[] next = board[1 - step % 2];
                each(in, n, i -> lifeRow(n, next, now, (i + n - 1) % n * n, i * n, (i + 1) % n * n));
            }
        });
        var last = new long[n * n];
        Arrays.setAll(last, i -> board[0][i]);
        return new Outcome(ns, digest(last));
    }

    private static void lifeRow(int n, byte[] next, byte[] now, int above, int row, int below) {
        for (int j = 0; j < n; j++) {
            int l = j == 0 ? n - 1 : j - 1;
            int r = j + 1 == n ? 0 : j + 1;
            int around = now[above + l] + now[above + j] + now[above + r] + now[row + l] + now[row + r]
                    + now[below + l] + now[below + j] + now[below + r];
            next[row + j] = (byte) (around == 3 || around == 2 && now[row + j] == 1 ? 1 : 0);
        }
    }

    record Matrix(int[] starts, int[] columns, double[] values, double[] x) {}

    /** The k-th longest row has about a k-th of the entries of the longest. */
    private static Matrix matrix(int n) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
            sum += 1 / (double) (k + 1);
        }
        var starts = new int[n + 1];
        for (int i = 0; i < n; i++) {
            starts[i + 1] = starts[i] + (int) ((double) n * 10 / sum / (i * 7919L % n + 1));
        }
        int entries = starts[n];
        var columns = new int[entries];
        Arrays.setAll(columns, k -> (int) Long.remainderUnsigned(splitmix(2, k), n));
        var values = IntStream.range(0, entries).mapToDouble(Loops::unit).toArray();
        var x = IntStream.range(0, n).mapToDouble(i -> unit((long) n + i)).toArray();
        return new Matrix(starts, columns, values, x);
    }

    static Outcome sparse(Place in, int n) {
        Matrix m = kept("sparse " + n, () -> matrix(n));
        var out = new double[n];
        long ns = in.timed(() -> each(in, n, i -> {
            double sum = 0;
            for (int k = m.starts[i]; k < m.starts[i + 1]; k++) {
                sum += m.values[k] * m.x[m.columns[k]];
            }
            out[i] = sum;
        }));
        return new Outcome(ns, bitsDigest(out));
    }

    interface Run {
        Outcome run(Place in, int n);
    }

    record Workload(String name, Run run) {}

    private static final List<Workload> WORKLOADS =
            List.of(
                    new Workload("par-for", Loops::forEach),
                    new Workload("par-range", Loops::triad),
                    new Workload("par-map", Loops::map),
                    new Workload("par-mapinto", Loops::mapInto),
                    new Workload("par-filter", Loops::filter),
                    new Workload("par-reduce", Loops::reduce),
                    new Workload("par-sum", Loops::sum),
                    new Workload("par-min", Loops::min),
                    new Workload("par-scan", Loops::scan),
                    new Workload("par-find-start", (in, n) -> find(in, n, 0)),
                    new Workload("par-find-middle", (in, n) -> find(in, n, n / 2)),
                    new Workload("par-find-end", (in, n) -> find(in, n, n - 1)),
                    new Workload("par-find-none", (in, n) -> find(in, n, n)),
                    new Workload("par-nested", Loops::nested),
                    new Workload("par-sort-int", (in, n) -> sortInt(in, n, "random")),
                    new Workload("par-sort-int-sorted", (in, n) -> sortInt(in, n, "sorted")),
                    new Workload("par-sort-int-reverse", (in, n) -> sortInt(in, n, "reverse")),
                    new Workload("par-sort-int-few", (in, n) -> sortInt(in, n, "few")),
                    new Workload("par-sort-int-almost", (in, n) -> sortInt(in, n, "almost")),
                    new Workload("par-sort-int-exponential", (in, n) -> sortInt(in, n, "exponential")),
                    new Workload("par-sort-strings", Loops::sortStrings),
                    new Workload("par-mandelbrot", Loops::mandelbrot),
                    new Workload("par-nbody", Loops::bodies),
                    new Workload("par-life", Loops::life),
                    new Workload("par-sparse", Loops::sparse));

    private static final Map<Integer, Place> PLACES = new HashMap<>();

    private static String answer(String line) {
        String[] words = line.strip().split("\\s+");
        return switch (words[0]) {
            case "list" -> String.join(" ", WORKLOADS.stream().map(Workload::name).toList());
            case "run" -> run(word(words, 1), word(words, 2), words.length > 3 ? words[3] : "1000000", words.length > 4);
            default -> throw new IllegalArgumentException("no command " + words[0] + "; there are list and run");
        };
    }

    private static String word(String[] words, int i) {
        return i < words.length ? words[i] : "";
    }

    private static String run(String name, String workersText, String sizeText, boolean grain) {
        Workload workload =
                WORKLOADS.stream()
                        .filter(w -> w.name.equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no workload " + name));
        int workers = parse("workers", workersText, 0, 256);
        int size = parse("size", sizeText, 1, 100_000_000);
        if (grain) {
            throw new IllegalArgumentException(name + " has no grain");
        }
        var place = PLACES.computeIfAbsent(workers, n -> new Place(n == 0 ? null : new ForkJoinPool(n)));
        Outcome outcome = workload.run.run(place, size);
        return outcome.ns + " " + outcome.result + " 0";
    }

    private static int parse(String what, String text, int least, int most) {
        if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= least && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(what + " " + text + " is not a number from " + least + " to " + most);
    }

    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                System.out.println(answer(line));
            } catch (IllegalArgumentException e) {
                System.out.println("error: " + e.getMessage());
            }
        }
    }
}
