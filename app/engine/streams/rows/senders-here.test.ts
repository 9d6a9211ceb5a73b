import { expect, test } from 'vitest';
import type { LoadSample } from '../../../protocol/load';
import { defaultThresholds } from '../../../protocol/thresholds';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import { sharedLoad } from '../../../testing/shared-load';
import { othersCpuOf } from '../../load/load-sums';
import { ReportedLoads } from './reported-load';
import { withSendersHere } from './senders-here';

/** What a sender says of the second that ends at a time: of the machine, and what it takes for others there. */
type Report = [seconds: number, cpu: number | null, others: number | null];

interface SenderOf {
  sourceId?: number;
  isHere?: boolean;
  endedSeconds?: number;
}

let streams = 0;

function sender(reports: Report[], { sourceId = 7, isHere = true, endedSeconds }: SenderOf = {}) {
  const reportedLoads = new ReportedLoads();
  for (const [seconds, cpuPercent, othersPercent] of reports) {
    const load = sharedLoad({ measuredNs: seconds * 1e9, cpuPercent, othersPercent });
    reportedLoads.hear(load, (seconds + 0.3) * 1e9, isHere);
  }
  const endedNs = endedSeconds === undefined ? null : endedSeconds * 1e9;
  return { id: ++streams, reportedLoads, endedNs, ledger: { identity: { sourceId } } };
}

/** Our receiver takes 25 % of this machine. */
function sampleAt(seconds: number, cpuPercent: number | null): LoadSample {
  const notMeasured: Record<string, string> = cpuPercent === null ? { cpuPercent: 'it is absent' } : {};
  const roles = { receiving: roleLoad(25, 60, 'sdk') };
  return loadSample({ atNs: seconds * 1e9, cpuPercent, roles, notMeasured });
}

const unreported = 'the sender on this machine did not report what it took itself';

test.each<[string, ReturnType<typeof sender>[], sample: LoadSample, others: number | string]>([
  ['no sender', [], sampleAt(10, 70), 45],
  ['one on another machine', [sender([[10, 70, 40]], { isHere: false })], sampleAt(10, 70), 45],
  ['one here: our receiver is among its others', [sender([[10, 70, 40]])], sampleAt(10, 70), 15],
  ['its look was a moment later', [sender([[10.02, 71, 41]])], sampleAt(10, 70), 15],
  ['it took more than we know of', [sender([[10, 90, 0]])], sampleAt(10, 70), 0],
  ['its figures are rounded, below none', [sender([[10, 70, 70.1]])], sampleAt(10, 70), 45],
  ['it did not report that second', [sender([[9, 70, 40]])], sampleAt(10, 70), unreported],
  ['it did not, and others took little all the same', [sender([[9, 70, 40]])], sampleAt(10, 49), 24],
  [
    'it does not say what others take: an earlier version',
    [sender([[10, 70, null]])],
    sampleAt(10, 70),
    unreported,
  ],
  ['it was gone', [sender([[9, 70, 40]], { endedSeconds: 9.2 })], sampleAt(10, 70), 45],
  ['two streams of one sender', [sender([[10, 70, 40]]), sender([[10, 70, 40]])], sampleAt(10, 70), 15],
  [
    'two streams of one sender, of which one reports',
    [sender([[9, 70, 40]]), sender([[10, 70, 40]])],
    sampleAt(10, 70),
    15,
  ],
  [
    'two senders',
    [sender([[10, 70, 55]]), sender([[10.001, 70, 50]], { sourceId: 8 })],
    sampleAt(10, 70),
    10,
  ],
  [
    'two senders, of which one does not report',
    [sender([[10, 70, 55]]), sender([[9, 70, 50]], { sourceId: 8 })],
    sampleAt(10, 70),
    unreported,
  ],
  ['this machine was not measured', [sender([[10, 70, 40]])], sampleAt(10, null), 'it is absent'],
])('what others took beside the senders of the streams: %s', (_, senders, sample, others) => {
  const [counted] = withSendersHere([sample], senders, defaultThresholds);
  expect(counted && othersCpuOf(counted)).toEqual(others);
});
