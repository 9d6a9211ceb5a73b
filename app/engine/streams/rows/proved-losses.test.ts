import { expect, test } from 'vitest';
import { type Guard, violatedBy, violatedByLoad } from '../../../facts/precedence';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import type { LoadSample, MachineChange } from '../../../protocol/load';
import { type Fault, MissCause } from '../../../protocol/records';
import { range } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { lastSlot, type Play, played, samples } from '../../../testing/explained-losses';
import { frameNs } from '../../../testing/test-stream';
import { Break } from '../outages';
import type { MeasuredStream } from './measured-stream';
import { buildRow } from './row-builder';

/** Other programs take most of the CPU all the time. */
function busy(changes: MachineChange[] = [], isOutside = true, cpuPercent = 95): LoadSample[] {
  return samples((seconds) => ({
    cpuPercent,
    ...(isOutside && { wireReceiveMbps: 120, loopbackMbps: 0 }),
    changes: changes.filter(({ atNs }) => atNs > (seconds - 0.5) * 1e9 && atNs <= seconds * 1e9),
  }));
}

/** A link that was down from 11.2 to 14.2 s; slot 600 is due at 11 s. */
const link: MachineChange[] = [
  { atNs: 11.2e9, code: 'link-down', data: { name: 'eth0', trafficPercent: 98, elsewhereMbps: 0.1 } },
  { atNs: 14.2e9, code: 'link-up', data: { name: 'eth0', seconds: 3 } },
];
const stillDown = link.slice(0, 1);

function changedLink(data: MachineChange['data']): MachineChange[] {
  return [{ atNs: 11.2e9, code: 'link-down', data }, ...link.slice(1)];
}

interface Case {
  play?: Play;
  faults?: Fault[];
  changes?: MachineChange[];
  isOutside?: boolean;
  guards?: Guard[];
  cpuPercent?: number;
  change?: (stream: MeasuredStream) => MeasuredStream;
}

function judged({
  play = {},
  faults = [],
  changes = [],
  isOutside,
  guards = [],
  cpuPercent,
  change,
}: Case): string {
  const stream = played(play);
  stream.stream.injected = faults;
  const streams = [change ? change(stream) : stream];
  // Streams that leave the machine have their senders elsewhere; the records of these come along.
  const row = buildRow(
    rowInput({
      ...{ fromNs: frameNs(60), toNs: frameNs(lastSlot + 1), guards, streams },
      samples: busy(changes, isOutside, cpuPercent),
      isSenderRemote: isOutside !== false,
    }),
  );
  return `${row.verdict}: ${wordsOf(row.reason)}`;
}

const byLink: Play = { lost: range(606, 1000) };
const skipped: Fault[] = [{ verb: 'skip', first: 600, last: 604 }];
const others = /other programs took 8\d\.\d % of the CPU \(limit 25 %\)/;

/** An outage of a sender that was started again, from 11 to 14 s; `brokeNs`: when its connection broke. */
function restarted(stream: MeasuredStream, brokeNs: number): MeasuredStream {
  const [fromNs, toNs] = [11e9, 14e9];
  const next = played().stream;
  next.ledger = null;
  const after = new Break(fromNs, fromNs, next);
  after.foundNs = toNs;
  after.isRestart = true;
  stream.stream.after = after;
  stream.stream.connectionHistory.add(2e9, true);
  stream.stream.connectionHistory.add(brokeNs, false);
  stream.stream.connectionHistory.add(13.8e9, true);
  const outage = { fromNs, toNs, sinceNs: fromNs, isOver: true, frames: 180, isStall: false };
  return { ...stream, outages: [outage] };
}

test.each<[string, Case, RegExp, ...RegExp[]]>([
  [
    'a busy CPU excuses a loss',
    { play: byLink },
    /^INVALID: stood still once, .+; 395 of 1740 frames were dropped in transport, not judged: other programs/,
  ],
  [
    'a busy CPU unplugs no cable',
    { play: byLink, changes: link },
    /^FAIL: stood still once, longest gap \d+ ms; seen beside it: eth0 had no link for 3\.0 s \(rule: no stall/,
    others,
    /395 of 1740 frames were dropped in transport \(rule: /,
  ],
  ['a link that is still down', { play: { lost: range(606, 1700) }, changes: stillDown }, /^FAIL: /, others],
  [
    'a link that carried little: no stream may have travelled on it',
    { play: byLink, changes: changedLink({ name: 'eth0', trafficPercent: 80, elsewhereMbps: 0.1 }) },
    /^INVALID: /,
  ],
  [
    'a link that carried nearly all, beside one that may have carried the stream',
    { play: byLink, changes: changedLink({ name: 'eth0', trafficPercent: 98, elsewhereMbps: 9 }) },
    /^INVALID: /,
  ],
  [
    'a link of which it is not known what it carried',
    { play: byLink, changes: changedLink({ name: 'eth0' }) },
    /^INVALID: /,
  ],
  ['streams that stay in the machine', { play: byLink, changes: link, isOutside: false }, /^INVALID: /],
  ['a link that went down later', { play: { lost: range(500, 560) }, changes: link }, /^INVALID: /],
  [
    'a loss that ended before the link went',
    { play: { lost: range(572, 611) }, changes: link },
    /^INVALID: /,
  ],
  [
    'a loss that lasted far longer than the link was down',
    {
      play: { lost: range(612, 1211) },
      changes: [link[0] as MachineChange, { ...(link[1] as MachineChange), atNs: 12.2e9 }],
    },
    /^FAIL: .*600 of 1740 frames were dropped in transport \(rule: [^)]*\); 2\d\d of them judged, what follows/,
  ],
  [
    'a loss that ended long before the link was back',
    { play: { lost: range(606, 640) }, changes: link },
    /^INVALID: /,
  ],
  [
    'a process of ours that was stopped',
    {
      play: byLink,
      changes: link,
      guards: [violatedBy([reasonOf('process-stopped', { role: 'receiving' })])],
    },
    /^INVALID: stood still once, .+, not judged: our receiving process was stopped; other programs/,
  ],
  [
    'a ring that overflowed',
    {
      ...{ play: byLink, changes: link },
      guards: [violatedBy([reasonOf('records-overflowed', { records: 8, stage: 'captures', whose: 'x' })])],
    },
    /^INVALID: stood still once, .+, not judged: 8 records/,
  ],
  [
    'stolen time, and a gap of load samples',
    {
      ...{ play: byLink, changes: link },
      guards: [
        violatedByLoad([reasonOf('cpu-stolen', { percent: 20, limitPercent: 5 })]),
        violatedByLoad([reasonOf('no-load-sample', { seconds: 2 })]),
      ],
    },
    /^FAIL: stood still once.*the hypervisor.*no load sample for 2\.0 s/,
  ],
  [
    'frames that the run itself skipped',
    { play: { lost: range(600, 604) }, faults: skipped, isOutside: false },
    /^FAIL: 5 of 1740 frames were dropped in transport, all injected on purpose \(rule: /,
    others,
  ],
  [
    'so many that the picture stood still',
    { play: { lost: range(600, 659) }, faults: [{ verb: 'skip', first: 600, last: 659 }], isOutside: false },
    /^FAIL: stood still once, longest gap \d+ ms \(rule: /,
    /60 of 1740 frames were dropped in transport, all injected on purpose \(rule: /,
  ],
  [
    'a frame that was lost while a link was down for a moment',
    {
      play: { lost: [620, 630] },
      changes: [
        { atNs: 11.2e9, code: 'link-down', data: { name: 'wlan0' } },
        { atNs: 11.7e9, code: 'link-up', data: { name: 'wlan0', seconds: 0.5 } },
      ],
    },
    /^INVALID: /,
  ],
  [
    'one of them is within the profile',
    { play: { lost: [600] }, faults: [{ verb: 'skip', first: 600, last: 600 }], isOutside: false },
    /^WARN: 1 of 1740 frames was dropped in transport, injected on purpose/,
    others,
  ],
  [
    'and 3 elsewhere: the proved part decides',
    { play: { lost: [...range(600, 604), 900, 901, 902] }, faults: skipped, isOutside: false },
    /^FAIL: 8 of 1740 frames were dropped in transport, 5 of them injected on purpose \(rule: [^)]*\); 5 of them judged, what follows may have caused the rest; other/,
  ],
  [
    'one that was skipped, and 3 elsewhere: the proved part is within the profile',
    {
      ...{ play: { lost: [600, 900, 901, 902] }, isOutside: false },
      faults: [{ verb: 'skip', first: 600, last: 600 }],
    },
    /^INVALID: /,
  ],
  [
    'frames by a link, and a miss of our own pacing',
    { play: { ...byLink, missed: [1200, 1201], cause: MissCause.SenderLate }, changes: link },
    /^FAIL: stood still once/,
    /; the sender missed 2 frames while [^;]*, not judged: [^;]+; [^;]+$/,
  ],
  [
    'misses that the run itself injected',
    {
      ...{ play: { missed: [600], cause: MissCause.Injected }, isOutside: false },
      faults: [{ verb: 'miss', first: 600, last: 600 }],
    },
    /^FAIL: the sender missed 1 frame: injected on purpose \(rule: the sender misses no frame/,
    others,
  ],
  [
    'misses that a remote sender says it injected: its word proves nothing',
    { play: { missed: [600], cause: MissCause.Injected } },
    /^INVALID: the sender missed 1 frame: the sender reports an injected fault, not judged: other programs took 85\.0 % of the CPU \(limit 25 %\)$/,
  ],
  [
    'on a machine with time to spare they are the sender’s, all the same',
    { play: { missed: [600], cause: MissCause.Injected }, cpuPercent: 10 },
    /^FAIL: the sender missed 1 frame: the sender reports an injected fault \(rule: [^)]*\)$/,
  ],
  [
    'a sender that ended, and was started again',
    { change: (stream) => restarted(stream, 11.2e9) },
    /^FAIL: no new picture for 3\.0 s: about 180 frames .* seen beside it: the sender was started again/,
    others,
  ],
  [
    'one whose pictures ended long before it did',
    { change: (stream) => restarted(stream, 13e9) },
    /^INVALID: no new picture for 3\.0 s: [^;]+, not judged: other programs/,
  ],
])('%s', (_, one, ...expected) => {
  const said = judged(one);
  for (const pattern of expected) expect(said).toMatch(pattern);
});

test('what is recorded beside several findings of a stream is said once', () => {
  const said = judged({ play: byLink, changes: link });
  expect(said.match(/eth0 had no link/g)).toHaveLength(1);
});
