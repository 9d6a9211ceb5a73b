import { setTimeout as sleep } from 'node:timers/promises';
import { readSamples } from '../engine/sessions/read-run';

const patienceMs = 60_000;

/**
 * Waits until three samples of a running run came into its folder one by one, each within a second of its moment: none is
 * kept back. Where the run or this process is held up, the next three are waited for.
 * @returns how many samples are there
 */
export async function samplesComeAtOnce(folder: string): Promise<number> {
  let count = readSamples(folder).length;
  let inRow = 0;
  for (const endMs = Date.now() + patienceMs; Date.now() < endMs; await sleep(20)) {
    const samples = readSamples(folder);
    if (samples.length === count) continue;
    const ageMs = Date.now() - (samples.at(-1)?.wallMs ?? 0);
    inRow = samples.length === count + 1 && ageMs < 1000 ? inRow + 1 : 0;
    count = samples.length;
    if (inRow === 3) return count;
  }
  throw new Error(`Of ${count} samples no three came one by one, each within a second of its moment`);
}
