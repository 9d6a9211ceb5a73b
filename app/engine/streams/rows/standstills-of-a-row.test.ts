import { expect, test } from 'vitest';
import { wordsOf } from '../../../facts/reason-words';
import type { MachineChange } from '../../../protocol/load';
import { MissCause } from '../../../protocol/records';
import { loadSample } from '../../../testing/load-sample';
import { type MeasuredRow, type MeasuredRowOptions, measuredRow } from '../../../testing/measured-row';
import { stopped } from '../../../testing/standstills';
import type { ProcessStandstill, Who } from '../../load/standstills';

const processes: [name: string, who: Who][] = [
  ['our sending process', { role: 'sending' }],
  ['our receiving process', { role: 'receiving' }],
  ['our engine process', { role: 'engine' }],
  ['the sending process of Whiteline 1', { sender: 'Whiteline 1' }],
];

/** When a stop began, in seconds of a row of two seconds, and whether it may have cost the row frames. */
const moments: [name: string, beginOf: (seconds: number) => number, isNear: boolean][] = [
  ['over its beginning', (seconds) => -seconds / 2, true],
  ['in it', () => 0.5, true],
  ['over its end', (seconds) => 2 - seconds / 2, true],
  ['just before it', (seconds) => -0.5 - seconds, true],
  ['long before it', (seconds) => -1.5 - seconds, false],
];

const lengths = [0.2, 0.7, 1.2, 3];
const dropped = { frames: 4, transportDropped: 0 };
const missed = { frames: 4, cause: MissCause.SenderLate };

interface Outcome {
  verdict: string;
  reason: string;
}

/** A row that closes as long after its end as rows do. */
async function rowWith(
  who: Who,
  pieceOf: (fromSeconds: number) => ProcessStandstill,
  options: Partial<MeasuredRowOptions>,
): Promise<Outcome> {
  const row = measuredRow({ endedSecondsAgo: 1.9, ...options });
  const piece = pieceOf(row.fromNs / 1e9);
  if ('sender' in who) row.stream.senderStandstills.addAll([piece]);
  else row.standstills.addAll([piece]);
  const { verdict, reason } = await row.clock.until(row.meter.close(row.toNs));
  return { verdict, reason: wordsOf(reason) };
}

const cases = processes.flatMap(([name, who]) =>
  moments.flatMap(([moment, beginOf, isNear]) =>
    lengths.map((seconds) => ({ name, who, moment, beginOf, isNear, seconds })),
  ),
);

test.each(cases)('$name was stopped for $seconds s, $moment', async (one) => {
  const { name, who, beginOf, isNear, seconds } = one;
  const pieceOf = (fromSeconds: number) => {
    const began = fromSeconds + beginOf(seconds);
    return stopped(who, began, began + seconds);
  };
  const isTooLong = isNear && seconds > 0.25;
  const said = `${name} was stopped for ${seconds} s (limit 0.25 s)`;
  // What is below the bound, or long ago, keeps its verdict.
  for (const lost of [{ lost: dropped }, { missed }]) {
    const { verdict, reason } = await rowWith(who, pieceOf, lost);
    const isOwnPacing = 'missed' in lost;
    expect(verdict).toBe(isTooLong || isOwnPacing ? 'INVALID' : 'FAIL');
    expect(reason.includes(said)).toBe(isTooLong);
    // It says what was lost, and then the stop, once.
    const cost = isOwnPacing ? 'the sender missed 4 frames' : '4 of 120 frames were dropped in transport';
    const ofCost = isOwnPacing && 'role' in who && who.role !== 'sending';
    if (isTooLong && !ofCost) expect(reason).toBe(`${cost}, not judged: ${said}`);
  }
  // Where every frame came whole, nothing was lost to it.
  const whole = await rowWith(who, pieceOf, {});
  expect(whole.verdict).toBe('PASS');
  expect(whole.reason.includes(said)).toBe(isTooLong);
});

const long: [name: string, said: string, happen: (row: MeasuredRow, atNs: number) => void][] = [
  [
    'a stop',
    'our receiving process was stopped for 3 s (limit 0.25 s)',
    ({ standstills }, atNs) =>
      standstills.addAll([stopped({ role: 'receiving' }, atNs / 1e9 - 2.5, atNs / 1e9 + 0.5)]),
  ],
  [
    'a time in which the machine slept',
    'the machine was suspended for 3.0 s',
    (row, atNs) => addChange(row, { atNs, code: 'machine-suspended', data: { seconds: 3 } }),
  ],
  [
    'a wall clock that was set',
    'this machine’s wall clock was set 50.0 ms ahead',
    (row, atNs) => addChange(row, { atNs, code: 'wall-clock-step', data: { byMs: 50 } }),
  ],
];

function addChange({ samples }: MeasuredRow, change: MachineChange): void {
  samples.unshift(loadSample({ atNs: change.atNs, changes: [change] }));
}

test.each(long)(
  '%s that broke the connection long before a row makes it INVALID where it lost frames until it was back',
  async (_, said, happen) => {
    for (const isBroken of [false, true]) {
      const row = measuredRow({ endedSecondsAgo: 1.9, lost: { frames: 60, transportDropped: 0 } });
      const brokeNs = row.fromNs - 12e9;
      happen(row, brokeNs - 1e9);
      row.stream.connectionHistory.add(row.fromNs - 20e9, true);
      if (isBroken) row.stream.connectionHistory.add(brokeNs, false);
      row.stream.connectionHistory.add(row.fromNs + 0.9e9, true);
      const { verdict, reason } = await row.clock.until(row.meter.close(row.toNs));
      expect([verdict, wordsOf(reason).includes(said)]).toEqual(
        isBroken ? ['INVALID', true] : ['FAIL', false],
      );
    }
  },
);

test.each(processes)(
  '%s waited for a processor: an excuse, unless recorded facts prove the loss',
  async (name, who) => {
    const pieceOf = (fromSeconds: number): ProcessStandstill => ({
      ...stopped(who, fromSeconds, fromSeconds + 0.4),
      kind: 'starved',
    });
    const { verdict, reason } = await rowWith(who, pieceOf, { lost: dropped });
    expect([verdict, reason]).toEqual([
      'INVALID',
      expect.stringContaining(`${name} waited for a processor for 0.4 s (limit 0.25 s)`),
    ]);
  },
);

const others = 'other programs took 90.0 % of the CPU (limit 25 %)';

/** A row on a full machine whose sender missed its first 59 frames, and a stop in it. */
async function fullRowWith(who: Who, fromSeconds: number, seconds: number): Promise<Outcome> {
  const row = measuredRow({ endedSecondsAgo: 1.9, missed: { frames: 59, cause: MissCause.SenderLate } });
  for (const sample of row.samples) sample.cpuPercent = 100;
  const began = row.fromNs / 1e9 + fromSeconds;
  const log = 'sender' in who ? row.stream.senderStandstills : row.standstills;
  log.addAll([stopped(who, began, began + seconds)]);
  const { verdict, reason } = await row.clock.until(row.meter.close(row.toNs));
  return { verdict, reason: wordsOf(reason) };
}

test.each(processes.filter(([name]) => name.includes('sending process')))(
  '%s was stopped while the machine was full: the stop is named first, and no load as the cause',
  async (name, who) => {
    expect(await fullRowWith(who, -0.01, 0.999)).toEqual({
      verdict: 'INVALID',
      reason: `the sender missed 59 frames, not judged: ${name} was stopped for 0.999 s (limit 0.25 s); ${others}`,
    });
  },
);

test('of frames missed on a full machine, those outside a stop are the load’s', async () => {
  expect((await fullRowWith({ role: 'sending' }, 0.4, 0.3)).reason).toBe(
    'the sender missed 59 frames: 19 while its process was stopped, 40 while the CPU of the sender’s machine was at 100 %, ' +
      `not judged: our sending process was stopped for 0.3 s (limit 0.25 s); ${others}`,
  );
  expect((await fullRowWith({ role: 'receiving' }, -0.01, 0.999)).reason).toContain(
    'the sender missed 59 frames while the CPU of the sender’s machine was at 100 %, not judged: ',
  );
});
