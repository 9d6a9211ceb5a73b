import { expect, test } from 'vitest';
import { reasonOf } from '../facts/reason-words';
import { matchers } from './matchers';
import { ended } from './problems';
import { readRun } from './recorded';
import { run } from './run';
import { send } from './send';
import { noteSenderDeath } from './sent-sources';
import type { Measurement, Row, WatchedStream } from './types';
import { watch } from './watch';

/** What a test writes wrong is refused with field, value and remedy, before anything is started. */

/** As a test in plain JavaScript writes it, whose types nobody checks. */
const call = async (of: unknown, ...given: unknown[]): Promise<string> => {
  const done: unknown = Reflect.apply(of as () => unknown, {}, given);
  return Promise.resolve(done).then(
    () => 'done',
    (error: Error & { code?: string }) => `${error.code} ${error.message}`,
  );
};

test.each([
  [
    watch,
    ['x', { programe: true }],
    /a known option for watch but received programe\. Did you mean programme\? Known are/,
  ],
  [watch, ['x', { programme: 'no' }], /true or false for programme but received no\. programme: /],
  [watch, ['x', { sources: ['a'] }], /Expected programme: true beside sources/],
  [watch, ['x', { sources: 'a', programme: true }], /a list, each a text.* for sources but received a\. /],
  [watch, ['x', { signal: 5 }], /an AbortSignal for signal but received 5\. Give/],
  [watch, ['x', { within: 0 }], /a time above 0 for within but received 0\. Use/],
  [watch, ['x', { within: null }], /a number of seconds for within but received null\. Use/],
  [watch, ['x', '5s'], /an object of options for watch but received 5s\. Known are/],
  [watch, [5], /the name of a source for source but received 5\. Give/],
  [
    send,
    ['white-line', { streams2: 1 }],
    /a known option for send but received streams2\. Did you mean streams\?/,
  ],
  [send, ['white-line', { audio: 'no' }], /true or false for audio but received no\. audio: /],
  [send, [5], /a source for source but received 5\. Give white-line/],
  [run, ['plan.yaml'], /an object of options for run but received .*Known are out, signal/],
  [run, ['plan.yaml', { out: 5 }], /a text.* for out but received 5\. out: /],
  [readRun, [], /the folder of a run for folder but received .*Give/],
])('%o with %o', async (of, given, says) => {
  const said = await call(of, ...given);
  expect(said).toMatch(/^BAD_INPUT Expected /);
  expect(said).toMatch(says);
});

test('a matcher that nobody waits for names itself, its stream and the word that is missing', async () => {
  const gone: Pick<WatchedStream, 'measure' | 'name'> = {
    name: 'VM (Kit 1)',
    measure: async () => {
      throw ended('The watch of VM (Kit 1)');
    },
  };
  expect(await call(matchers.toLoseNoFrames, gone)).toBe(
    'ABORTED The watch of VM (Kit 1) has ended before toLoseNoFrames was done: write await before expect, or end the watch later',
  );
  const result = Reflect.apply(matchers.toStallNever, {}, [Promise.resolve(gone)]);
  expect((await result).message()).toBe(
    'toStallNever: Expected what watch() gave, but received its promise: write await before watch',
  );
});

test('a dead sender is said in few words: when it died, how long its outage is, and where the rest is', async () => {
  const [from, diedAt, startedAt, to] = [0, 2, 2.1, 8.3].map((second) =>
    new Date(Date.UTC(2026, 0, 1, 10) + 1000 * second).toISOString(),
  ) as [string, string, string, string];
  noteSenderDeath(diedAt, 'The sending process was killed (SIGKILL)', ['VM (Cyn)']);
  const text = `no new picture for 2.1 s; seen beside it: ${'x'.repeat(300)}`;
  const part = { startedAt, endedAt: null, seconds: 2.1, framesEstimated: 53, text };
  const outages = [part, part, part];
  const figures = {
    picturesCaptured: 40,
    framesDropped: 0,
    framesInOutages: 159,
    stalls: 3,
    longestGapMs: 2100,
  };
  const reason = [
    reasonOf('others-busy', { percent: 98, limitPercent: 25 }),
    ...Array.from({ length: 9 }, () => reasonOf('no-slot')),
  ];
  const row: Row = { from: '', to: '', verdict: 'INVALID', reason, figures, notMeasured: {} };
  const measured: Measurement = {
    ...{
      source: 'VM (Cyn)',
      method: 'frame-code',
      from,
      to,
      seconds: 8.3,
      standstill: 'Sender gone',
    },
    ...{ rows: [row], losses: [], outages, silences: [], events: [], cutBefore: null },
  };
  const dead = { name: 'VM (Cyn)', folder: '/tmp/whiteline-AbCdEf/watch-1', measure: async () => measured };
  const result = await Reflect.apply(matchers.toLoseNoFrames, {}, [dead]);
  expect(result.pass).toBe(false);
  const said: string = result.message();
  expect(said).toMatch(
    /^VM \(Cyn\) lost 159 frames in 8\.3 s \(by the frame code\), not judged: INVALID: other programs took 98/,
  );
  expect(said.split('\n').slice(1)).toEqual([
    '  at 10:00:02.000 UTC our sending process was killed (SIGKILL); it sent VM (Cyn)',
    '  no picture since 10:00:02.100 UTC: about 159 frames (an estimate)',
    'Run: /tmp/whiteline-AbCdEf/watch-1',
  ]);
  expect(said.length).toBeLessThanOrEqual(400);
});

const stream: Pick<WatchedStream, 'measure' | 'name' | 'sources'> = {
  measure: () => expect.fail('it measured'),
  name: 'VM (Mixer)',
  sources: ['VM (Camera 1)', 'VM (Camera 2)'],
};

test.each([
  [
    'toLoseNoFrames',
    [{ duration: '3s' }],
    /a known option for toLoseNoFrames but received duration\. Known are for/,
  ],
  ['toLoseNoFrames', [{ for: 'soon' }], /a duration for the option for but received soon\. Use/],
  ['toStallNever', ['5s'], /an object of options for toStallNever but received 5s\. Known are for/],
  ['toLoseAtMost', [], /an object of options for toLoseAtMost/],
  ['toLoseAtMost', [{ frames: 0.5 }], /a whole number.* for frames but received 0\.5\. frames: /],
  ['toLoseAtMost', [{ for: 1 }], /frames or perMinute but received neither\. Give/],
  ['toLoseAtMost', [{ frames: '20' }], /a whole number.* for frames but received the text "20"\. frames: /],
  ['toLoseAtMost', [{ frames: Number.NaN }], /for frames but received \.nan\. frames: /],
  [
    'toHaveLatencyBelow',
    [{ p99ms: 1 }],
    /a known option for toHaveLatencyBelow but received p99ms\. Did you mean p99Ms\?/,
  ],
  ['toBeWhole', [null], /an object of options for toBeWhole but received null/],
  ['toRepeatNoFrames', [{ fr: 1 }], /a known option for toRepeatNoFrames but received fr\. /],
  ['toRecoverWithin', [], /a number of seconds for within but received/],
  ['toCutTo', [5], /the name of a source for source but received 5\. Give/],
  ['toCutTo', ['Camera 1', { in: '1s' }], /a known option for toCutTo but received in\. /],
  [
    'toCutTo',
    ['Camera2'],
    /a known source \(VM \(Camera 1\), VM \(Camera 2\)\) for source but received Camera2\. Give/,
  ],
  ['toCutTo', ['camera 1'], /a known source .* but received camera 1\. Give/],
  ['toCutTo', ['VM (Mixer)'], /a source of VM \(Mixer\), not the programme itself/],
  ['toCutTo', ['Mixer'], /a source of VM \(Mixer\), not the programme itself/],
  ['toHaveCuts', [1, { fr: 1 }], /a known option for toHaveCuts but received fr\. /],
  ['toHaveCuts', ['1'], /a whole number of at least 0 for toHaveCuts but received the text "1"\. Give/],
  [
    'toHaveCuts',
    [1, {}, {}],
    /two arguments at most for toHaveCuts but received 3\. Give all options in one/,
  ],
  [
    'toLoseNoFrames',
    [{}, { for: '2s' }],
    /one argument for toLoseNoFrames but received 2\. Give all options/,
  ],
  ['toRecoverWithin', ['1s', { for: 1 }], /one argument for toRecoverWithin but received 2\. /],
  ['toRecoverWithin', ['0s'], /a time above 0 for within but received 0s\. Use/],
] as const)('%s given %o throws, whatever .not says', async (name, given, says) => {
  for (const isNot of [false, true]) {
    const done = Reflect.apply(matchers[name], { isNot }, [stream, ...given]);
    await expect(done).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(says) });
  }
});
