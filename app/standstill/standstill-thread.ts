import { workerData } from 'node:worker_threads';
import { machineClock } from '../protocol/machine-clock';
import { leastLateMs, standstillLookMs } from '../protocol/standstill';
import { LateWakes } from './late-wakes';
import { queuedTime } from './queued-time';
import { StolenTime } from './stolen-time';
import { ThreadMemory } from './thread-memory';

/** The thread of `watchOwnStandstill`: it sleeps, and writes down how late it woke. */
const memory = new ThreadMemory(workerData as SharedArrayBuffer);
const wakes = new LateWakes();
const queuedNs = queuedTime();
let dueNs = machineClock.monotonicNs() + standstillLookMs * 1e6;
const stolenNs = new StolenTime();
let queuedBeforeNs = queuedNs();
memory.beat(dueNs);
while (memory.sleep(wakes.nextLookMs)) {
  const wokeNs = machineClock.monotonicNs();
  const queuedAfterNs = queuedNs();
  const stolen = stolenNs.at(wokeNs, wokeNs - dueNs >= leastLateMs * 1e6);
  for (const standstill of wakes.add({ dueNs, wokeNs, queuedBeforeNs, queuedAfterNs, stolenNs: stolen }))
    memory.standstills.write(standstill);
  // From the moment it woke, so that what holds it before it sleeps again counts too.
  dueNs = wokeNs + wakes.nextLookMs * 1e6;
  queuedBeforeNs = queuedAfterNs;
  memory.beat(dueNs);
}
