import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;

/** The workloads locks-once, locks-mutex and late on ForkJoinPool, by the protocol of README.md. */
public final class ForkJoin {
    private ForkJoin() {}

    /** What an implementation of fork-join must offer. */
    interface Fork {
        /** Runs work in the pool. */
        long enter(LongSupplier work);

        /** Adds up f(0) to f(n-1), each forked but the last. */
        long sumEach(int n, IntToLongFunction f);

        /** Queues a job from outside. */
        Waiter enqueue(Runnable job);

        /** Sleeps as long as another caller's job of late does. */
        default void stranger() {
            uninterrupted(() -> Thread.sleep(60));
        }

        /** Whether there are threads to be woken. */
        default boolean hasThreads() {
            return false;
        }
    }

    /** Waits, outside the pool, for a job. */
    interface Waiter {
        void await();
    }

    /** ForkJoinPool as it comes: it takes what a worker forked last first, and others' oldest. */
    record Pool(ForkJoinPool pool) implements Fork {
        @Override
        public long enter(LongSupplier work) {
            return pool.invoke(task(work));
        }

        @Override
        public long sumEach(int n, IntToLongFunction f) {
            var forks = new ArrayList<ForkJoinTask<Long>>(n);
            for (int i = 0; i + 1 < n; i++) {
                final int index = i;
                forks.add(task(() -> f.applyAsLong(index)).fork());
            }
            long sum = f.applyAsLong(n - 1);
            for (int i = forks.size() - 1; i >= 0; i--) {
                sum += forks.get(i).join();
            }
            return sum;
        }

        @Override
        public Waiter enqueue(Runnable job) {
            return pool.submit(job)::join;
        }

        @Override
        public boolean hasThreads() {
            return true;
        }

        private static ForkJoinTask<Long> task(LongSupplier work) {
            return new RecursiveTask<>() {
                @Override
                protected Long compute() {
                    return work.getAsLong();
                }
            };
        }
    }

    /** The same code without forks. */
    static class Plain implements Fork {
        @Override
        public long enter(LongSupplier work) {
            return work.getAsLong();
        }

        @Override
        public long sumEach(int n, IntToLongFunction f) {
            long sum = 0;
            for (int i = 0; i < n; i++) {
                sum += f.applyAsLong(i);
            }
            return sum;
        }

        @Override
        public Waiter enqueue(Runnable job) {
            job.run();
            return () -> {};
        }
    }

    /** Counts the forks of a workload, apart from any measurement. */
    static final class Counting extends Plain {
        final AtomicLong forks = new AtomicLong();

        @Override
        public long sumEach(int n, IntToLongFunction f) {
            forks.addAndGet(n - 1);
            return super.sumEach(n, f);
        }

        @Override
        public Waiter enqueue(Runnable job) {
            forks.incrementAndGet();
            return super.enqueue(job);
        }

        @Override
        public void stranger() {}
    }

    record Outcome(long ns, long result) {}

    /** The index-th number of SplitMix64 with seed 1. */
    static long randomNumber(long index) {
        long z = 1 + (index + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** Works for some microseconds, and returns a number below 2^32. */
    static long grind(long x) {
        for (int i = 0; i < 1000; i++) {
            x = randomNumber(x);
        }
        return x & 0xffffffffL;
    }

    /** The k-th random number of a seed, below n; k below 1000. */
    static int draw(long seed, int k, int n) {
        return (int) Long.remainderUnsigned(randomNumber(1000 * seed + k), n);
    }

    /** How many graphs or batches of jobs a run has. */
    static final int ROUNDS = 20;

    /**
     * A graph of cells, each computed once, from cells with higher numbers. A semaphore of one guards
     * a cell: the locks of Java let the thread in again that holds them, where those of the other
     * languages do not, and a second computation would take the place of a wait.
     */
    static final class OnceCells {
        private static final int CELLS = 60;

        private static final class Cell {
            final Semaphore lock = new Semaphore(1);
            volatile boolean done;
            int[] needs = new int[0];
            long value;
        }

        private final Cell[] cells = new Cell[CELLS];
        private final Fork fork;

        OnceCells(Fork fork, long seed) {
            this.fork = fork;
            for (int i = 0; i < CELLS; i++) {
                cells[i] = new Cell();
                int above = CELLS - 1 - i;
                if (above > 0) {
                    cells[i].needs = new int[draw(seed, 4 * i, 4)];
                }
                for (int k = cells[i].needs.length; k > 0; k--) {
                    cells[i].needs[k - 1] = i + 1 + draw(seed, 4 * i + k, above);
                }
            }
        }

        /** Computes a cell, or waits until it is computed. */
        long get(int i) {
            Cell cell = cells[i];
            if (!cell.done) {
                cell.lock.acquireUninterruptibly();
                try {
                    if (!cell.done) {
                        cell.value = compute(i);
                        cell.done = true;
                    }
                } finally {
                    cell.lock.release();
                }
            }
            return cell.value;
        }

        private long compute(int i) {
            long own = grind(i);
            int[] needs = cells[i].needs;
            return grind(needs.length == 0 ? own : own + fork.sumEach(needs.length, k -> get(needs[k])));
        }

        /** Gets the first cells, each in a job of its own, and adds them up. */
        long roots() {
            return submitEach(fork, 8, this::get);
        }
    }

    /** Taken in the order of their numbers. Each guards a sum. No thread can take one twice. */
    static final class Locks {
        private static final int LOCKS = 4;

        private final Semaphore[] locks = new Semaphore[LOCKS];
        private final long[] sums = new long[LOCKS];
        private final Fork fork;

        Locks(Fork fork) {
            this.fork = fork;
            for (int i = 0; i < LOCKS; i++) {
                locks[i] = new Semaphore(1);
            }
        }

        /** Holds a lock while it forks and joins jobs that take the next one. */
        private long job(int level, long x) {
            locks[level].acquireUninterruptibly();
            try {
                long value = grind(x);
                sums[level] += value;
                if (level + 1 < LOCKS) {
                    value += fork.sumEach(2, k -> job(level + 1, 2 * x + k));
                }
                return value;
            } finally {
                locks[level].release();
            }
        }

        /** Runs 24 jobs, and adds up what they return and what the locks guard. */
        long jobs(long seed) {
            long sum = submitEach(fork, 24, i -> job(draw(seed, i, LOCKS), i));
            for (long s : sums) {
                sum += s;
            }
            return sum;
        }
    }

    /** Submits a job with each number below n, and adds up what they return. */
    static long submitEach(Fork fork, int n, IntToLongFunction job) {
        var sum = new AtomicLong();
        var waiters = new ArrayList<Waiter>(n);
        for (int i = 0; i < n; i++) {
            final int index = i;
            waiters.add(fork.enqueue(() -> sum.addAndGet(job.applyAsLong(index))));
        }
        waiters.forEach(Waiter::await);
        return sum.get();
    }

    interface Round {
        long run(long seed);
    }

    /** Adds up the digests of rounds with different seeds. */
    static Outcome rounds(Fork fork, long seed, Round round) {
        wake(fork);
        long begin = System.nanoTime();
        long sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            sum += round.run(ROUNDS * seed + i);
        }
        return new Outcome(System.nanoTime() - begin, sum);
    }

    /** Forks leaves by halving. Each keeps a processor busy for 50 µs, or what it has of one. */
    static long busyTree(Fork fork, int leaves) {
        if (leaves == 1) {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < 50_000) {}
            return 1;
        }
        return fork.sumEach(2, k -> busyTree(fork, k == 0 ? leaves / 2 : leaves - leaves / 2));
    }

    /** Has every worker begin something, so that there are threads, and awake. */
    static void wake(Fork fork) {
        if (fork.hasThreads()) {
            fork.enter(() -> busyTree(fork, 64));
        }
    }

    /** Runs 64 leaves. As soon as they have begun, another thread queues jobs that sleep. */
    static Outcome late(Fork fork, int strangers) {
        wake(fork);
        var begun = new CountDownLatch(1);
        var ran = new AtomicLong();
        var other = new Thread(() -> {
            uninterrupted(begun::await);
            List<Waiter> waiters = new ArrayList<>();
            for (int i = 0; i < strangers; i++) {
                waiters.add(fork.enqueue(() -> {
                    fork.stranger();
                    ran.incrementAndGet();
                }));
            }
            waiters.forEach(Waiter::await);
        });
        other.start();
        long begin = System.nanoTime();
        long leaves = fork.enter(() -> {
            begun.countDown();
            return busyTree(fork, 64);
        });
        long ns = System.nanoTime() - begin;
        uninterrupted(other::join);
        return new Outcome(ns, leaves + ran.get());
    }

    interface Wait {
        void begin() throws InterruptedException;
    }

    private static void uninterrupted(Wait wait) {
        try {
            wait.begin();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // Nothing here interrupts.
        }
    }

    private static final Map<Integer, Fork> POOLS = new HashMap<>();
    private static final Map<String, Long> FORKS_OF = new HashMap<>();

    /** Its usual size, and its largest. Those of locks-once and locks-mutex are seeds. */
    record Workload(String name, int size, int most) {
        Outcome run(Fork fork, int size) {
            return switch (name) {
                case "locks-once" -> rounds(fork, size, seed -> new OnceCells(fork, seed).roots());
                case "locks-mutex" -> rounds(fork, size, seed -> new Locks(fork).jobs(seed));
                default -> late(fork, size);
            };
        }

        long forks(int size) {
            return FORKS_OF.computeIfAbsent(name + " " + size, key -> {
                var counting = new Counting();
                run(counting, size);
                return counting.forks.get();
            });
        }
    }

    private static final List<Workload> WORKLOADS =
            List.of(
                    new Workload("locks-once", 1, 1_000_000),
                    new Workload("locks-mutex", 1, 1_000_000),
                    new Workload("late", 8, 1000));

    private static String answer(String line) {
        String[] words = line.strip().split("\\s+");
        return switch (words[0]) {
            case "list" -> String.join(" ", WORKLOADS.stream().map(Workload::name).toList());
            case "run" -> run(word(words, 1), word(words, 2), words.length > 3 ? words[3] : null);
            default -> throw new IllegalArgumentException("no command " + words[0] + "; there are list and run");
        };
    }

    private static String word(String[] words, int i) {
        return i < words.length ? words[i] : "";
    }

    private static String run(String name, String workersText, String sizeText) {
        Workload workload =
                WORKLOADS.stream()
                        .filter(w -> w.name.equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no workload " + name));
        int workers = parse("workers", workersText, 0, 256);
        int size = sizeText == null ? workload.size : parse("size", sizeText, 1, workload.most);
        long forks = workers == 0 ? 0 : workload.forks(size);
        Fork fork = workers == 0 ? new Plain() : POOLS.computeIfAbsent(workers, n -> new Pool(new ForkJoinPool(n)));
        Outcome outcome = workload.run(fork, size);
        return outcome.ns + " " + Long.toUnsignedString(outcome.result) + " " + forks;
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
