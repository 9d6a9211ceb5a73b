import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readProcessTimes } from './cpu';
import { ThreadReader } from './threads';

/** Of two threads one ends and another one begins for each line that it reads. */
const changingThreads = `
import sys, threading
def begin():
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    return thread, end
for line in ["first"] + [None] * 3:
    if line is None:
        sys.stdin.readline()
        end.set()
        thread.join()
    thread, end = begin()
    print("changed", flush=True)
sys.stdin.readline()
end.set()
`;

test('a thread that takes the place of one that ended is seen, though the process has as many as before', async () => {
  const child = spawn('python3', ['-c', changingThreads], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  // By lines: unbuffered, Python writes a line in two pieces.
  const lines = createInterface({ input: child.stdout });
  const processId = child.pid ?? 0;
  const reader = new ThreadReader();
  onTestFinished(() => reader.close());
  const look = (): string[] => [...(reader.read(processId, 2)?.keys() ?? [])].sort();
  const seen: string[][] = [];
  for (let change = 0; change < 4; change++) {
    if (change > 0) child.stdin.write('\n');
    await once(lines, 'line');
    // The kernel lets go of a thread a moment after it was joined.
    await vi.waitFor(() => expect(readProcessTimes(processId)?.threads).toBe(2));
    expect(look()).toEqual(readdirSync(`/proc/${processId}/task`).sort());
    seen.push(look());
  }
  const others = new Set(seen.flat());
  // The first thread, and four that came one after the other.
  expect(others.size).toBe(5);
});
