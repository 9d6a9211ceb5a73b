import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Kernel clock ticks of a second, as Linux reports CPU time to programs. */
const ticksPerSecond = 100;

/** CPU time, s, that the processes and all that they started have taken so far; what has ended counts no more. */
export function cpuSecondsOf(processIds) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf);
  const wanted = new Set(processIds);
  // A child may have a lower id than its parent: ids begin again at their end.
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size;
    for (const { id, parentId } of all) if (wanted.has(parentId)) wanted.add(id);
  }
  const ticks = all.filter(({ id }) => wanted.has(id)).reduce((sum, one) => sum + one.ticks, 0);
  return ticks / ticksPerSecond;
}

/** The same for these processes themselves, without what they started. */
export function ownCpuSecondsOf(processIds) {
  return processIds.flatMap(statOf).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** % of a core that they take over some seconds, once they have settled. */
export async function cpuPercentOf(processIds, seconds, settleMs, secondsOf = cpuSecondsOf) {
  await sleep(settleMs);
  const [fromS, fromMs] = [secondsOf(processIds), performance.now()];
  await sleep(seconds * 1000);
  return (100_000 * (secondsOf(processIds) - fromS)) / (performance.now() - fromMs);
}

function statOf(id) {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name before may hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [{ id: Number(id), parentId: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    return [];
  }
}
