import { expect, test } from 'vitest';
import type { Fact, FactData } from './fact';
import { type ReasonCode, type RuleCode, reasonCodes, reasonOf, wordsOf } from './reason-words';

test('findings are worded one after the other, with stream, rule and time', () => {
  const lost = { transport: 2, receiverQueue: 0, undecodable: 0, isAttributed: true, submitted: 600 };
  const rule = { stream: 'Left', rule: 'most-lost', mostFrames: 1, windowSeconds: 2 } as const;
  const broken = { brokenFrom: '2026-11-21T10:00:05.500Z', brokenTo: '2026-11-21T10:00:09.500Z' };
  const late = { disk: 1, decode: 0, unknown: 0, rateMBps: 40, neededMBps: 155, stream: 'Left' };
  const measured = { measuredFrom: '2026-11-21T10:00:00.000Z', measuredTo: '2026-11-21T10:00:10.000Z' };
  expect(
    wordsOf([
      reasonOf('frames-lost', { ...lost, ...rule, ...broken }),
      reasonOf('pictures-late', late),
      reasonOf('streams-not-passed', { failed: 2, streams: 3, lost: 2, missed: 0, stalls: 1, ...measured }),
    ]),
  ).toBe(
    'Left: 2 of 600 frames were dropped in transport (rule: at most 1 frame lost in any 2 s; the worst time was from 10:00:05.500 to ' +
      '10:00:09.500 UTC); 1 picture came late from the disk (40 MB/s of 155 MB/s needed); ' +
      '2 of 3 streams did not pass: 2 frames lost, 1 stall (measured from 10:00:00.000 to 10:00:10.000 UTC)',
  );
});

test.each<[judged: number | undefined, string]>([
  [undefined, ' (rule: no frame lost)'],
  [0, ', not judged'],
  [1, ' (rule: no frame lost); 1 of them judged, what follows may have caused the rest'],
])('of a finding of which %s is judged', (judged, text) => {
  const data = { frames: 2, rule: 'no-loss', ...(judged !== undefined && { judged }) } as const;
  expect(wordsOf([reasonOf('records-missing', data)])).toBe(`the sender left no record of 2 frames${text}`);
});

const killed = { number: 1, exitCode: 137, signal: 'SIGKILL' };

test.each<[string, Fact[], string]>([
  [
    'a stop of the sending process, and all that it cost',
    [
      reasonOf('process-stopped', { role: 'sending', seconds: 1.163, limitSeconds: 0.25 }),
      reasonOf('frames-missed', { frames: 35, ownPacing: 35, whileStopped: 35, loadPercent: 5 }),
    ],
    'our sending process was stopped for 1.163 s (limit 0.25 s); the sender missed 35 frames',
  ],
  [
    'a stop, and a send call that did not return',
    [
      reasonOf('process-stopped', { sender: 'VM (Cam 1)', seconds: 1.2, limitSeconds: 0.25 }),
      reasonOf('frames-missed', { frames: 37, sendBlocked: 2, ownPacing: 35, whileStopped: 35 }),
    ],
    'the sending process of VM (Cam 1) was stopped for 1.2 s (limit 0.25 s); the sender missed 37 frames: ' +
      '2 while the transport’s send call had not returned (sdk-send-blocked), 35 while its process was stopped',
  ],
  [
    'frames that our own pacing missed',
    [
      reasonOf('pacing-late', { frames: 2 }),
      reasonOf('frames-missed', { frames: 2, ownPacing: 2, loadPercent: 5 }),
    ],
    'our own pacing was late while neither the sender’s machine nor its disk was at its limit; ' +
      'the sender missed 2 frames while the CPU of the sender’s machine was at 5 %',
  ],
  [
    'frames of which our own pacing missed some',
    [
      reasonOf('pacing-late', { frames: 1 }),
      reasonOf('frames-missed', { frames: 2, ownPacing: 2, loadPercent: 5 }),
    ],
    'our own pacing was late for 1 frame while neither the sender’s machine nor its disk was at its limit; ' +
      'the sender missed 2 frames while the CPU of the sender’s machine was at 5 %',
  ],
  [
    'frames that we fetched too late',
    [
      reasonOf('fetched-late', { frames: 2 }),
      reasonOf('frames-lost', { transport: 0, receiverQueue: 2, undecodable: 0, submitted: 600 }),
    ],
    'we fetched too late, or pictures arrived all at once, while the receiver’s machine was not at its limit; ' +
      '2 of 600 frames were dropped in the receiver’s queue',
  ],
  [
    'other programs',
    [
      reasonOf('others-busy', { percent: 97.6, limitPercent: 25 }),
      reasonOf('frames-missed', { frames: 4, ownPacing: 4, loadPercent: 100, othersPercent: 98 }),
    ],
    'other programs took 97.6 % of the CPU (limit 25 %); the sender missed 4 frames while the CPU of the sender’s machine was at 100 %',
  ],
  [
    'other programs, unless they were on another machine',
    [
      reasonOf('others-busy', { percent: 40, limitPercent: 25 }),
      reasonOf('frames-missed', { frames: 4, ownPacing: 4, loadPercent: 100, othersPercent: 98 }),
    ],
    'other programs took 40.0 % of the CPU (limit 25 %); ' +
      'the sender missed 4 frames while the CPU of the sender’s machine was at 100 %, other programs took 98 % on average',
  ],
  [
    'a process that died and stays away',
    [reasonOf('process-died'), reasonOf('process-lost')],
    'a stream process died and could not be started again',
  ],
  [
    'which process died, how, and that it stays away',
    [
      reasonOf('process-died', { ...killed, role: 'sending' }),
      reasonOf('process-died', { ...killed, role: 'sending', number: 2 }),
      reasonOf('process-died', { role: 'receiving', number: 1, exitCode: 1, signal: null }),
      reasonOf('process-lost', { role: 'receiving', number: 1, exitCode: 139, signal: 'SIGSEGV' }),
    ],
    'our sending process was killed (SIGKILL); our sending process 2 was killed (SIGKILL); ' +
      'our receiving process was ended by SIGSEGV and could not be started again',
  ],
  [
    'which machine was out of reach, since when, and when it was back or given up',
    [
      reasonOf('machine-unreachable', {
        machine: 'render-1',
        from: '2026-11-27T14:03:05.120Z',
        to: '2026-11-27T14:03:12.480Z',
      }),
      reasonOf('machine-unreachable', {
        machine: 'display-1',
        from: '2026-11-27T14:03:05.120Z',
        givenUpAt: '2026-11-27T14:03:10.120Z',
      }),
      reasonOf('process-died', {
        ...{ role: 'sending', number: 1, machine: 'render-2', exitCode: 1, signal: null },
        why: 'was given up: the agent on render-2 was ended',
      }),
    ],
    'render-1 was not reachable from 14:03:05.120 to 14:03:12.480 UTC; ' +
      'display-1 was not reachable from 14:03:05.120 UTC on, and was given up at 14:03:10.120 UTC; ' +
      'the sending process on render-2 was given up: the agent on render-2 was ended',
  ],
])('a reason says once: %s', (_, facts, text) => {
  expect(wordsOf(facts)).toBe(text);
});

test.each<[string, Partial<Fact>]>([
  [
    'their causes',
    {
      seen: [
        { code: 'receiving-stopped', data: {} },
        { code: 'sender-restarted', data: {} },
      ],
    },
  ],
  [
    'the words of an earlier version',
    { data: { stalls: 1, seenBeside: 'our receiving process was stopped, the sender was started again' } },
  ],
])('what was seen beside losses is said once, by %s', (_, beside) => {
  const stall: Fact = { ...reasonOf('stalls', { stalls: 1, longestGapMs: 900 }), ...beside };
  const words = wordsOf([{ ...stall, data: { ...stall.data, longestGapMs: 900 } }, stall]);
  expect(
    words.match(/; seen beside it: our receiving process was stopped, the sender was started again/g),
  ).toHaveLength(1);
  expect(words).toMatch(/^stood still once, longest gap 900 ms; seen beside it: /);
});

test('what a newer version recorded is its code, and its rule that rule’s', () => {
  const newer: Fact = { code: 'clock-drifted', data: { rule: 'no-drift' } };
  expect(wordsOf([newer, { code: 'text', data: { text: 'a sentence' } }])).toBe(
    'clock-drifted (rule: no-drift); a sentence',
  );
});

test.each(['__proto__', 'constructor', 'toString'])('%s is a code like any other', (code) => {
  expect(wordsOf([{ code, data: { rule: code } }])).toBe(`${code} (rule: ${code})`);
});

test.each(reasonCodes)('%s has words without its data too, as a file may hold it', (code) => {
  const holed: FactData[] = [{}, { frames: null, stream: null, rule: 5, brokenFrom: 1 }];
  for (const data of holed) {
    const text = wordsOf([{ code, data }]);
    expect(text).not.toMatch(/undefined|NaN|null|Infinity/);
  }
});

test.each<[ReasonCode, FactData, string]>([
  ['no-frame-missed', {}, 'no frame missed'],
  ['no-frame-missing', { method: 'timestamps' }, 'no frame missing, by timestamps'],
  ['baseline', {}, 'baseline: the source plays, no stream'],
  [
    'baseline',
    { isSenderRemote: true, interfaceMbps: 12.34 },
    'baseline: no stream; the interface carried 12.3 Mb/s',
  ],
  ['stalls', { stalls: 1, longestGapMs: 123.4 }, 'stood still once, longest gap 123 ms'],
  ['stalls', { stalls: 3, longestGapMs: 2500 }, 'stood still 3 times, longest gap 2500 ms'],
  [
    'frames-lost',
    { transport: 1, receiverQueue: 2, undecodable: 1, submitted: 600, injected: 2 },
    '4 of 600 frames were lost: 1 missing, 2 dropped in the receiver’s queue, 1 undecodable, 2 of them injected on purpose',
  ],
  [
    'frames-lost',
    { transport: 3, isAttributed: true, submitted: 175, injected: 3 },
    '3 of 175 frames were dropped in transport, all injected on purpose',
  ],
  [
    'frames-lost',
    { transport: 9, isAttributed: true, submitted: 600, injected: 5 },
    '9 of 600 frames were dropped in transport, 5 of them injected on purpose',
  ],
  ['frames-lost', { torn: 1, submitted: 600, injected: 1 }, '1 of 600 frames was torn, injected on purpose'],
  [
    'frames-lost',
    {
      'wrong-size': 1,
      torn: 2,
      stale: 3,
      damaged: 4,
      discoloured: 5,
      dimmed: 6,
      mislabelled: 7,
      submitted: 60,
    },
    '28 of 60 frames were lost: 1 received in a different size than sent, 2 torn, 3 mixed with lines of another frame, ' +
      '4 damaged, 5 discoloured, 6 dimmed, 7 labelled as another frame',
  ],
  ['frames-unreported', { frames: 1 }, '1 frame did not arrive, nor did the sender’s records of them'],
  ['other-source', { seconds: 1.2, pictures: 30 }, 'another of our sources was shown for 1.2 s, 30 pictures'],
  ['frames-missing', { frames: 3, method: 'timestamps' }, '3 frames missing, by timestamps'],
  [
    'frames-missing',
    { frames: 1, method: 'timestamps', isAtLeast: true },
    'at least 1 frame missing, by timestamps',
  ],
  [
    'pictures-late',
    { decode: 2, damaged: 1, ffmpeg: 3, unknown: 4 },
    '2 pictures came late, decoding took too long, 1 picture could not be read or decoded, the movie is damaged, ' +
      '3 pictures came late from ffmpeg, its disk or its decoding, 4 pictures came late',
  ],
  [
    'outage',
    { seconds: 2, allSeconds: 5, isOver: true, frames: 120, framesPerSecond: 60 },
    'no new picture for 5.0 s, 2.0 s of it in this row: about 120 frames at 60 fps (an estimate)',
  ],
  [
    'outage',
    { seconds: 2, allSeconds: 5, isOver: true, frames: 120, framesPerSecond: 60, isBetween: true },
    'no new picture for 5.0 s, 2.0 s of it between rows: about 120 frames at 60 fps (an estimate)',
  ],
  [
    'outage',
    { seconds: 2, allSeconds: 5, inClosedRow: true, frames: 0 },
    'no new picture for 2.0 s (5.0 s since it began), not over at the end of the row: its frames are counted',
  ],
  ['outage', { seconds: 0.3 }, 'no new picture for 300 ms, not over: how many frames it cost is not known'],
  ['no-first-frame', { seconds: 2, added: 'a stream' }, 'no frame within 2 s of adding a stream'],
  [
    'streams-not-passed',
    { failed: 1, streams: 3, missed: 1, stalls: 2 },
    '1 of 3 streams did not pass: 1 frame missed by the sender, 2 stalls',
  ],
  ['losses-not-measured', { why: 'no picture' }, 'losses were not measured: no picture'],
  [
    'sender-silent',
    { times: 1, longestSeconds: 4 },
    'the sender was connected, but no new frame arrived for 4.0 s: it may send only when its picture changes, so losses in that time were not measured',
  ],
  [
    'sender-silent',
    { times: 3, longestSeconds: 4 },
    'the sender was connected, but no new frame arrived 3 times, for up to 4.0 s: it may send only when its picture changes, so losses ' +
      'in that time were not measured',
  ],
  [
    'sender-changed',
    { times: 1 },
    'the sender’s clock, format or rate changed once: how many frames were lost meanwhile is unknown',
  ],
  [
    'sender-changed',
    { times: 2 },
    'the sender’s clock, format or rate changed 2 times: how many frames were lost meanwhile is unknown',
  ],
  ['placeholders', { pictures: 1 }, '1 picture were the SDK’s placeholder for what it cannot decode'],
  ['green-pictures', { pictures: 2 }, '2 pictures were solid green, which happens if a codec is missing'],
  [
    'busy-baseline',
    { percent: 12.3, limitPercent: 10 },
    'the machine was busy before the first stream: other programs took 12 % of its CPU (limit 10 %)',
  ],
  ['others-busy', { percent: 30.04, limitPercent: 25 }, 'other programs took 30.0 % of the CPU (limit 25 %)'],
  [
    'others-busy',
    { percent: 30.04, limitPercent: 25, isGpu: true, isSenders: true },
    'other programs took 30.0 % of the GPU of the sender’s machine (limit 25 %)',
  ],
  [
    'sender-ended',
    { name: 'CAM', at: '2026-11-30T21:25:24.182Z' },
    'the sender of CAM ended as asked at 21:25:24 UTC',
  ],
  ['streams-added', { streams: 2 }, '2 streams were added since the row before'],
  ['ended-early', { measuredSeconds: 3.14, holdSeconds: 10 }, 'ended after 3.1 of 10 s'],
  [
    'ended-late',
    { measuredSeconds: 3.14, holdSeconds: 10, stopAfterSeconds: 2 },
    'ended after 3.1 of 10 s: for 2 s frames came more than a second late, and none was lost',
  ],
  ['cut-short', { measuredSeconds: 3.14, holdSeconds: 10 }, 'stopped after 3.1 of 10 s'],
  [
    'cut-short',
    { measuredSeconds: 3.14, holdSeconds: 10, by: 'stopped by a signal (SIGTERM)' },
    'stopped by a signal (SIGTERM) after 3.1 of 10 s',
  ],
  ['not-recorded', { why: 'the disk is full' }, 'this row was not recorded: the disk is full'],
  ['not-checked', { what: 'the load', why: 'no sample' }, 'the load could not be checked: no sample'],
  [
    'not-checked',
    { what: 'the load', why: 'no sample', machine: 'b' },
    'the load on b could not be checked: no sample',
  ],
  ['records-missing', { frames: 1 }, 'the sender left no record of 1 frame'],
  [
    'not-as-asked',
    { tool: 'iperf3', what: 'streams', reported: 1, asked: 2 },
    'iperf3 did not measure what was asked for (streams): 1 reported, 2 asked for',
  ],
  [
    'pacing-late',
    { frames: 2 },
    'our own pacing was late for 2 frames while neither the sender’s machine nor its disk was at its limit',
  ],
  [
    'fetched-late',
    { frames: 2 },
    'the receiver’s queue dropped 2 frames while its machine was not at its limit: we fetched too late, or they arrived all at once',
  ],
  [
    'frames-lost',
    { unplaced: 2, submitted: 600 },
    '2 of 600 frames were dropped in transport or in the receiver’s queue',
  ],
  [
    'display-late',
    { frames: 1 },
    '1 frame reached the display window too late while this machine was not at its limit',
  ],
  ['no-load-sample', { seconds: 1.46 }, 'no load sample for 1.5 s'],
  ['no-load-sample', { seconds: 1.46, machine: 'b' }, 'no load sample of b for 1.5 s'],
  ['no-load-sample', { seconds: 8, machine: 'render-1' }, 'no load sample of render-1 for 8.0 s'],
  ['row-late', { seconds: 1.46 }, 'the row was written 1.5 s late'],
  ['helper-died', { helper: 'pacer' }, 'the pacer died during the row'],
  ['helper-died', { helper: 'registry 1', how: 'was killed (SIGKILL)' }, 'registry 1 was killed (SIGKILL)'],
  [
    'faults-not-put-in',
    { name: 'KAM 2', faults: 'skip:600-604; black:700' },
    'faults of KAM 2 were still due and were not put in (skip:600-604; black:700)',
  ],
  ['process-stopped', { role: 'sending' }, 'our sending process was stopped'],
  ['process-stopped', { role: 'receiving', machine: 'b' }, 'our receiving process on b was stopped'],
  [
    'process-stopped',
    { role: 'sending', seconds: 0.25004, limitSeconds: 0.25 },
    'our sending process was stopped for 0.251 s (limit 0.25 s)',
  ],
  [
    'process-starved',
    { tool: 'iperf3', seconds: 1.2, limitSeconds: 1 },
    'iperf3 waited for a processor for 1.2 s (limit 1 s)',
  ],
  [
    'process-stopped',
    { sender: 'STAGE (Cam 1)', seconds: 3, limitSeconds: 0.25 },
    'the sending process of STAGE (Cam 1) was stopped for 3 s (limit 0.25 s)',
  ],
  [
    'source-failed',
    { source: 'clip.mov', message: 'no disk' },
    'clip.mov no longer plays, so its last picture is repeated: no disk',
  ],
  ['suspended', { seconds: 90 }, 'the machine was suspended for 90.0 s'],
  ['wall-clock-step', { byMs: -250 }, 'this machine’s wall clock was set 250.0 ms back'],
  [
    'sender-clock-step',
    { sender: 'Left', byMs: 40.26 },
    'the clock of the sender of Left jumped 40.3 ms ahead relative to ours',
  ],
  [
    'records-overflowed',
    { records: 5, stage: 'capture', whose: 'Left' },
    '5 records of stage capture of Left were lost',
  ],
  ...(
    [
      ['size', 0, 2 ** 25, 'it has 0 bytes instead of 33554432'],
      ['allocated', 2 ** 20, 2 ** 25, 'it takes 1.0 MiB of the disk instead of 32.0 MiB'],
      ['zeros', 3, 32, '3 of 32 places that were read in it hold only zeros'],
      ['written', 2, 1, 'it was written to while this run only read it'],
    ] as const
  ).map(([what, found, expected, text]): [ReasonCode, FactData, string] => [
    'test-file-changed',
    { path: '/srv/file', what, found, expected },
    `another program changed the test file /srv/file: ${text}. So the disk was not what was measured: ` +
      'keep other programs from writing to this file, and measure again',
  ]),
])('%s with %j', (code, data, text) => {
  expect(wordsOf([{ code, data }])).toBe(text);
});

test.each<[RuleCode, string]>([
  ['no-miss', 'the sender misses no frame;'],
  ['no-stall', 'no stall;'],
  ['no-loss', 'no frame lost; the worst time was'],
  ['most-lost', 'at most 1 frame lost in any 2 s; the worst time was'],
  ['no-outage', 'no outage;'],
  ['first-frame', 'a frame within 2 s;'],
  ['most-lost-on-end', 'at most 1 frame lost in 2 s, more only for less than 5 s at a time; more were lost'],
  ['cpu-below', 'the CPU below 80 %, above it only for less than 5 s at a time; the CPU was above it'],
])('the rule %s, and when it was broken', (rule, text) => {
  const limits = { mostFrames: 1, windowSeconds: 2, stopAfterSeconds: 5, mostPercent: 80 };
  const broken = { brokenFrom: '2026-11-21T10:00:05.500Z', brokenTo: '2026-11-21T10:00:09.500Z' };
  const fact: Fact<ReasonCode> = { code: 'no-picture', data: { rule, ...limits, ...broken } };
  expect(wordsOf([fact])).toBe(
    `no picture arrived in the row (rule: ${text} from 10:00:05.500 to 10:00:09.500 UTC)`,
  );
});

test('a row that passed although a process waited says why it counts, once', () => {
  const waited = ['engine', 'sending'].map((role) =>
    reasonOf('process-starved', { role, seconds: 2.8561, limitSeconds: 0.25 }),
  );
  expect(wordsOf([reasonOf('no-frame-missed', {}), ...waited])).toBe(
    'no frame missed; our engine process waited for a processor for 2.857 s (limit 0.25 s); ' +
      'our sending process waited for a processor for 2.857 s (limit 0.25 s); no frame was missed by it, so the row counts',
  );
  expect(wordsOf(waited)).not.toContain('so the row counts');
});
