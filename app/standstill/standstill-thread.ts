import { workerData } from 'node:worker_threads';
import { machineClock } from '../protocol/machine-clock';
import { leastStandstillMs, standstillLookMs } from '../protocol/standstill';
import { standstillOf } from './late-wake';
import { queuedTime } from './queued-time';
import { StolenTime } from './stolen-time';
import { ThreadMemory } from './thread-memory';

/** The thread of `watchOwnStandstill`: it sleeps, and writes down how late it woke. */
const memory = new ThreadMemory(workerData as SharedArrayBuffer);
const queuedNs = queuedTime();
let dueNs = machineClock.monotonicNs() + standstillLookMs * 1e6;
const stolenNs = new StolenTime();
let queuedBeforeNs = queuedNs();
memory.beat(dueNs);
while (memory.sleep(standstillLookMs)) {
  const wokeNs = machineClock.monotonicNs();
  const queuedAfterNs = queuedNs();
  const stolen = stolenNs.at(wokeNs, wokeNs - dueNs >= leastStandstillMs * 1e6);
  const standstill = standstillOf({ dueNs, wokeNs, queuedBeforeNs, queuedAfterNs, stolenNs: stolen });
  if (standstill) memory.standstills.write(standstill);
  // From the moment it woke, so that what holds it before it sleeps again counts too.
  dueNs = wokeNs + standstillLookMs * 1e6;
  queuedBeforeNs = queuedAfterNs;
  memory.beat(dueNs);
}
