import { workerData } from 'node:worker_threads';
import { machineClock } from '../protocol/machine-clock';
import { standstillLookMs } from '../protocol/standstill';
import { LateWakes } from './late-wakes';
import { openQueuedTime } from './queued-time';
import { StolenTime } from './stolen-time';
import { ThreadMemory } from './thread-memory';
import { readWakeMoment } from './wake-moment';

/** The thread of `watchOwnStandstill`: it sleeps, and writes down how late it woke. */
const memory = new ThreadMemory(workerData as SharedArrayBuffer);
const wakes = new LateWakes();
const queuedTime = openQueuedTime();
const stolenTime = new StolenTime();
const stolenAt = stolenTime.at.bind(stolenTime);
const start = readWakeMoment(machineClock.monotonicNs(), machineClock, queuedTime, stolenAt);
let dueNs = start.wokeNs + standstillLookMs * 1e6;
let queuedBeforeNs = start.queuedNs;
memory.beat(dueNs);
while (memory.sleep(wakes.nextLookMs)) {
  const { wokeNs, queuedNs, stolenNs } = readWakeMoment(dueNs, machineClock, queuedTime, stolenAt);
  for (const standstill of wakes.add({ dueNs, wokeNs, queuedBeforeNs, queuedAfterNs: queuedNs, stolenNs }))
    memory.standstills.write(standstill);
  // From the moment it woke, so that what holds it before it sleeps again counts too.
  dueNs = wokeNs + wakes.nextLookMs * 1e6;
  queuedBeforeNs = queuedNs;
  memory.beat(dueNs);
}
