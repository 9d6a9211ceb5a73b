import type { ChildProcess } from 'node:child_process';
import { Writable } from 'node:stream';
import type { Clock } from '../../protocol/clock';
import { keepAliveMs, mostKeepAlivesMissed } from '../../protocol/host';

/**
 * Kills a process group when as many lines of its input do not come as a stream host misses, and goes at the end of its input. It is
 * bash, since no other shell of all systems reads with a limit of time; counted and not timed, as in `KeepAlive`.
 */
const watchdog = `missed=0
while ((missed <= ${mostKeepAlivesMissed})); do
  if read -r -t ${keepAliveMs / 1000}; then missed=0
  elif (($? > 128)); then ((missed += 1))
  else exit
  fi
done
kill -KILL -- "-$1"`;

/**
 * In a shell that becomes the program: its watchdog reads from this descriptor, and has no other file of the program. Bash would run
 * the user’s start-up file first where its input is a socket, as a pipe of Node is, and that of BASH_ENV.
 */
export function startWatchdog(descriptor: number): string {
  return `bash --norc -p -c '${watchdog}' watchdog $$ <&${descriptor} >/dev/null 2>&1 &`;
}

/** Feeds the watchdog of a program for as long as the clock goes on. Returns what ends that. */
export function feedWatchdog(
  child: ChildProcess,
  descriptor: number,
  clock: Pick<Clock, 'every'>,
): () => void {
  const pipe = child.stdio[descriptor];
  // It could not be started.
  if (!(pipe instanceof Writable)) return () => undefined;
  // The watchdog went with its program.
  pipe.on('error', () => undefined);
  const feed = (): void => void pipe.write('\n');
  feed();
  const stopFeeding = clock.every(keepAliveMs, feed);
  const stop = (): void => {
    stopFeeding();
    pipe.destroy();
  };
  child.on('exit', stop);
  return stop;
}
