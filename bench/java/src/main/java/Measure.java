import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of this program: all threads, the compiler's and the collector's too. */
final class Measure {
    private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static long leftOut;

    /** Nanoseconds of processor time of this thread. */
    static long thread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Says that so many nanoseconds of the work that is measured are not to count. */
    static void leaveOut(long nanoseconds) {
        leftOut += nanoseconds;
    }

    /** Seconds of processor time so far. */
    static double processor() {
        return SYSTEM.getProcessCpuTime() / 1e9;
    }

    /** The least processor time of several runs; the first ones warm the compiler up. The system counts hundredths of a second, so short work is done many times. */
    static double best(int rounds, Runnable work) {
        double best = Double.MAX_VALUE;
        for (int i = 0, times = 1; i < rounds; i++) {
            System.gc();
            leftOut = 0;
            double begin = processor();
            for (int j = 0; j < times; j++) {
                work.run();
            }
            double spent = (processor() - begin - leftOut / 1e9) / times;
            best = Math.min(best, spent);
            times = (int) Math.max(1, Math.min(1000, 0.3 / Math.max(spent, 1e-4)));
        }
        return best;
    }

    private Measure() {}
}
