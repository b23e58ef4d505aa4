// SPDX-License-Identifier: Apache-2.0
//
// The small cases of bench_arena in Java: confined arena, one allocation, one byte written, close.
// Run from source: java bench_arena.java REPETITIONS OPERATIONS. Prints "size nanoseconds" lines.

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

class BenchArena {
    static final long[] SIZES = {5, 20, 100, 500, 2000, 8000};
    static long sum; // so that nothing is dead code

    static void loop(int n, long size) {
        for (int i = 0; i < n; i++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocate(size, 8);
                segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
                sum += segment.address();
            }
        }
    }

    public static void main(String[] arguments) {
        int repetitions = Integer.parseInt(arguments[0]);
        int operations = Integer.parseInt(arguments[1]);
        for (int i = 0; i < 20; i++) {
            for (long size : SIZES) {
                loop(operations / 10, size);
            }
        }
        for (int i = 0; i < repetitions; i++) {
            for (long size : SIZES) {
                long start = System.nanoTime();
                loop(operations, size);
                System.out.println(size + " " + (double) (System.nanoTime() - start) / operations);
            }
        }
    }
}
