/** Process id of the launcher (scripts/exit-status.mjs) that this process must not outlive. */
export const starterVariable = 'WHITELINE_STARTER';

const lookMs = 500;
/** To close the open row and the files; what this process started ends once it is gone, so that all is over within 5 s. */
const closingMs = 3000;

/**
 * Ends this process where its launcher is gone, as SIGTERM does, and at the latest after some seconds. Without a launcher it goes on
 * when its parent ends: `nohup` and `setsid` are meant so. A process whose parent ended has another one; on Windows it keeps the
 * number, so nothing is noticed there.
 */
export function endWithStarter(): void {
  const starter = Number(process.env[starterVariable] ?? Number.NaN);
  if (Number.isNaN(starter)) return;
  const isGone = (): boolean => process.ppid !== starter;
  // One that was inherited from a process farther away is not meant, as long as it lives.
  if (isGone() && isAlive(starter)) return;
  const timer = setInterval(() => {
    if (!isGone()) return;
    clearInterval(timer);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), closingMs).unref();
    process.kill(process.pid, 'SIGTERM');
  }, lookMs);
  timer.unref();
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
