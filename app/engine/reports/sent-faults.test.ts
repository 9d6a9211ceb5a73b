import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { causeOf } from '../../facts/cause-words';
import type { Fact } from '../../facts/fact';
import type { Loss, LossStage } from '../../facts/loss';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { Row } from '../../facts/row';
import { exampleRow } from '../../testing/example-run';
import { recordRun } from '../../testing/recorded-run';
import { temporaryFolder } from '../../testing/temporary-folder';
import { runFiles } from '../sessions/read-run';
import { chosenGroup, GroupReader } from './run-group';
import { sessionReportData } from './session-page';
import { sessionTexts } from './session-texts';

const root = temporaryFolder();
let number = 0;

const full = causeOf('cpu-full', { whose: 'both', percent: 100, ownPercent: 12 });
const blocked = causeOf('sdk-send-blocked', { longestMs: 90 });

function lossOf(stage: LossStage, first: number, last: number, causes: Fact[]): Loss {
  return {
    ...{ stage, firstFrame: first, lastFrame: last, frames: last + 1 - first },
    ...{ startedAt: '2026-11-20T10:00:01.000Z', endedAt: '2026-11-20T10:00:01.100Z' },
    ...{ streamsTogether: 1, streams: 1, causes },
  };
}

interface Put {
  faults: unknown;
  sentAs?: string;
  /** Further runs of the group, which have nothing to do with it. */
  others?: number;
}

/** A test of two sides: what was put in is an event of the sender's run alone. */
function causesOf(losses: Loss[], { faults, sentAs = 'Hall 1', others = 0 }: Put) {
  const folder = join(root, `test-${++number}`);
  mkdirSync(folder);
  const times = { startedAt: '2026-11-20T10:00:00.000Z', endedAt: '2026-11-20T10:01:00.000Z' };
  const row = exampleRow(0);
  const rowOf = (name: string, own: Loss[]): Row => ({
    ...row,
    subjects: row.subjects.map((stream) => ({ ...stream, id: '1', name, losses: own })),
  });
  const sent = recordRun(join(folder, 'sent'), { experiment: 'send', ...times, rows: [rowOf(sentAs, [])] });
  const received = recordRun(join(folder, 'received'), {
    ...{ experiment: 'watch', ...times, rows: [rowOf('RENDER-1 (Hall 1)', losses)] },
  });
  const event = {
    at: times.startedAt,
    kind: 'fault-injected',
    text: 'skip:1-2',
    streamId: 1,
    details: { faults },
  };
  appendFileSync(join(sent, runFiles.events), `${JSON.stringify(event)}\n`);
  const further = Array.from({ length: others }, (_, index) => recordRun(join(folder, `other-${index}`)));
  const { runs } = sessionReportData(new GroupReader(chosenGroup([received, ...further, sent])));
  const [data] = runs;
  return {
    causes: data?.run.rows[0]?.subjects[0]?.losses?.map((loss) => loss.causes),
    said: data?.causes.map(({ cause }) => cause),
  };
}

test.each([0, 1])(
  'what the sender injected is the cause in the run of its receiver, beside %i other runs',
  (others) => {
    const { causes, said } = causesOf([lossOf('transport', 143, 147, [full])], {
      faults: [{ verb: 'skip', first: 143, last: 147 }],
      others,
    });
    expect(causes).toEqual([[{ code: 'injected', data: {} }]]);
    expect(said).toEqual(['injected on purpose']);
  },
);

test('frames beside those that were injected keep their own cause', () => {
  const { causes } = causesOf(
    [lossOf('transport-or-queue', 140, 147, [full]), lossOf('transport', 900, 901, [full])],
    {
      faults: [{ verb: 'skip', first: 143, last: 147 }],
    },
  );
  expect(causes).toEqual([[causeOf('injected', { frames: 5, others: 3 }), full], [full]]);
});

test('a miss and a held call of the sender are its own too', () => {
  const faults = [
    { verb: 'miss', first: 10, last: 12 },
    { verb: 'delay', first: 20, last: 20, delayMs: 50 },
  ];
  const missed = lossOf('sender', 10, 12, [{ code: 'sender-injected', data: {} }]);
  // At four frames in 0.1 s, a call that is held for 50 ms costs the slot behind it and two more.
  const held = lossOf('sender', 21, 24, [blocked, full]);
  expect(causesOf([missed, held], { faults }).causes).toEqual([
    [{ code: 'injected', data: {} }],
    [causeOf('injected', { frames: 3, others: 1 }), blocked, full],
  ]);
});

test.each([
  ['of another stream', { faults: [{ verb: 'skip', first: 143, last: 147 }], sentAs: 'Hall 2' }],
  ['that cannot be read', { faults: [{ verb: 'skip', first: 'all' }] }],
  ['of another stage', { faults: [{ verb: 'black', first: 143, last: 147 }] }],
])('faults %s explain nothing', (_, put) => {
  expect(causesOf([lossOf('transport', 143, 147, [full])], put).causes).toEqual([[full]]);
});

describe('where one watch saw a sender that was started again, whose numbers begin at 0 each time', () => {
  const times = { startedAt: '2026-11-20T10:00:00.000Z', endedAt: '2026-11-20T10:01:00.000Z' };
  const skip = { verb: 'skip', first: 143, last: 147 };
  const example = exampleRow(0);
  const rowOf = (name: string, losses: Loss[], codeSourceId?: number, index = 0): Row => ({
    ...{ ...example, index },
    subjects: example.subjects.map((stream) => ({ ...stream, id: '1', name, losses, codeSourceId })),
  });
  const record = (name: string, experiment: string, rows: Row[], events: Record<string, unknown>[]) => {
    const run = recordRun(join(root, `test-${number}-${name}`), { experiment, ...times, rows });
    for (const event of events)
      appendFileSync(
        join(run, runFiles.events),
        `${JSON.stringify({ at: times.startedAt, text: '', streamId: 1, ...event })}\n`,
      );
    return run;
  };
  const putIn = (details: object) => ({ kind: 'fault-injected', details: { faults: [skip], ...details } });
  const lost = () => [lossOf('transport', 143, 147, [full])];
  const causesIn = (folders: string[]) => {
    const [data] = sessionReportData(new GroupReader(chosenGroup(folders))).runs;
    return data?.run.rows.map(({ subjects }) => subjects[0]?.losses?.[0]?.causes?.[0]?.code);
  };

  test('a fault explains losses of the source that it was put into', () => {
    number += 1;
    const first = record('first', 'send', [rowOf('Hall 1', [], 7)], []);
    const second = record('second', 'send', [rowOf('Hall 1', [], 8)], [putIn({ codeSourceId: 8 })]);
    const lives = [7, 8, undefined].map((id, index) => rowOf('RENDER-1 (Hall 1)', lost(), id, index));
    const restarted = { kind: 'sender-restarted', details: {} };
    const received = record('received', 'watch', lives, [restarted]);
    expect(causesIn([received, first, second])).toEqual(['cpu-full', 'injected', 'cpu-full']);
  });

  test.each([
    ['injected', [{ kind: 'stream-connected' }]],
    ['cpu-full', [{ kind: 'stream-connected' }, { kind: 'stream-connected' }]],
    ['cpu-full', [{ kind: 'stream-connected' }, { kind: 'sender-restarted' }]],
  ])('without the ids of an older version it is %s after %j', (cause, events) => {
    number += 1;
    const sent = record('sent', 'send', [rowOf('Hall 1', [])], [putIn({})]);
    const received = record('received', 'watch', [rowOf('RENDER-1 (Hall 1)', lost())], events);
    expect(causesIn([received, sent])).toEqual([cause]);
  });
});

test('page, CSV and JUnit say it in the sentences of row, stream and run', () => {
  const folder = join(root, `test-${++number}`);
  mkdirSync(folder);
  const times = { startedAt: '2026-11-20T10:00:00.000Z', endedAt: '2026-11-20T10:01:00.000Z' };
  const reason = [
    reasonOf('frames-missed', { frames: 5, saidInjected: 5 }),
    reasonOf('frames-lost', {
      transport: 3,
      receiverQueue: 0,
      isAttributed: true,
      undecodable: 0,
      submitted: 175,
    }),
  ];
  const row = exampleRow(0);
  const losses = [
    lossOf('sender', 10, 14, [{ code: 'sender-injected', data: {} }]),
    lossOf('transport', 143, 145, [full]),
  ];
  const rowOf = (name: string, own: Loss[], why: Fact[]): Row => ({
    ...{ ...row, reason: why },
    subjects: row.subjects.map((stream) => ({ ...stream, id: '1', name, losses: own, reason: why })),
  });
  const said = wordsOf(reason);
  expect(said).toContain('3 of 175 frames were dropped in transport');
  const sent = recordRun(join(folder, 'sent'), {
    experiment: 'send',
    ...times,
    rows: [rowOf('Hall 1', [], [])],
  });
  const received = recordRun(join(folder, 'received'), {
    ...{ experiment: 'watch', ...times, reason: `row 0 (1 stream): ${said}; all rows: 3 frames lost` },
    rows: [rowOf('RENDER-1 (Hall 1)', losses, reason)],
  });
  const faults = [
    { verb: 'miss', first: 10, last: 14 },
    { verb: 'skip', first: 143, last: 145 },
  ];
  const event = {
    at: times.startedAt,
    kind: 'fault-injected',
    text: 'skip',
    streamId: 1,
    details: { faults },
  };
  appendFileSync(join(sent, runFiles.events), `${JSON.stringify(event)}\n`);
  const right =
    'the sender missed 5 frames: injected on purpose; 3 of 175 frames were dropped in transport, all injected on purpose';
  const group = chosenGroup([received, sent]);
  const { session, runs } = sessionReportData(new GroupReader(group));
  expect(runs[0]?.run.reason).toBe(`row 0 (1 stream): ${right}; all rows: 3 frames lost`);
  expect(session.runs[0]?.reason).toBe(runs[0]?.run.reason);
  const [read] = runs[0]?.run.rows ?? [];
  expect([wordsOf(read?.reason ?? []), wordsOf(read?.subjects[0]?.reason ?? [])]).toEqual([right, right]);
  for (const kind of ['csv', 'junit', 'json'] as const) {
    const text = [...sessionTexts[kind](new GroupReader(group))].join('');
    expect(text).not.toMatch(/3 of 175 frames were dropped in transport(?!, all injected on purpose)/);
    if (kind !== 'json')
      expect(text).toContain('3 of 175 frames were dropped in transport, all injected on purpose');
  }
});
