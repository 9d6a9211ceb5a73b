import { expect, test } from 'vitest';
import type { Fact } from '../../facts/fact';
import type { Loss } from '../../facts/loss';
import type { StreamsRow } from '../../facts/stream-row';
import type { Verdict } from '../../facts/verdict';
import { changedRow, changedStream, exampleRow, type RowChanges } from '../../testing/example-run';
import { limitText } from './limit';
import { repeatMetrics } from './metrics';
import { streamLoadVerdict } from './verdict';

/** Rows of these numbers of streams; by default 0, 1, 2 … What did not pass lost a frame. */
function rows(verdicts: Verdict[], streams: number[] = verdicts.map((_, index) => index)): StreamsRow[] {
  return verdicts.map((verdict, index) =>
    changedRow(
      verdict === 'PASS' ? exampleRow(index) : changedStream(exampleRow(index), { framesDropped: 1 }),
      {
        ...{ streams: streams[index] ?? 0, verdict, reason: `reason of ${streams[index]}` },
      },
    ),
  );
}

const judge = (list: StreamsRow[], goal: number, maxStreams = goal) =>
  streamLoadVerdict(list, { goal, maxStreams });

test.each<[Verdict[], number, Verdict, RegExp]>([
  [
    ['PASS', 'PASS', 'PASS'],
    2,
    'PASS',
    /^2 streams ran without loss; the limit was not reached: 2 streams were the most tested$/,
  ],
  [['PASS', 'PASS'], 1, 'PASS', /^1 stream ran without loss; the limit was not reached/],
  [
    ['PASS', 'WARN', 'PASS'],
    2,
    'WARN',
    /^no number of streams ran .+; with 1 stream: reason of 1; yet 2 streams ran without loss$/,
  ],
  [['PASS', 'PASS', 'FAIL'], 2, 'FAIL', /^1 stream ran .+; with 2 streams: reason of 2$/],
  [
    ['PASS', 'WARN', 'FAIL', 'WARN'],
    3,
    'FAIL',
    /^no number of streams ran .+; with 2 streams: reason of 2; 2 other rows were not PASS \(2 WARN\)$/,
  ],
  [
    ['PASS', 'FAIL', 'INVALID', 'INVALID'],
    3,
    'FAIL',
    /with 1 stream: reason of 1; with 2 streams \(INVALID\): reason of 2; 1 other row was INVALID$/,
  ],
  [['PASS', 'WARN'], 3, 'FAIL', /; with 1 stream: reason of 1; the goal of 3 streams was not reached$/],
  [
    ['WARN', 'PASS', 'PASS'],
    2,
    'WARN',
    /^2 streams ran without loss; baseline: reason of 0; the limit was not reached/,
  ],
  [['WARN', 'PASS', 'FAIL'], 2, 'FAIL', /; with 2 streams: reason of 2; baseline: reason of 0$/],
  [['PASS', 'PASS', 'FAIL'], 1, 'PASS', /with 2/],
  [
    ['PASS', 'PASS'],
    3,
    'FAIL',
    /^1 stream ran without loss; no limit was found; the goal of 3 streams was not reached$/,
  ],
  [['PASS', 'INVALID'], 1, 'INVALID', /^no valid row with streams; with 1 stream \(INVALID\): reason of 1$/],
  [['INVALID'], 1, 'INVALID', /^nothing was measured with streams: before the first one, reason of 0$/],
  [['PASS', 'INVALID'], 3, 'INVALID', /with 1/],
  [
    ['PASS', 'FAIL', 'INVALID'],
    2,
    'FAIL',
    /^no number of streams .+; with 1 stream: reason of 1; with 2 streams \(INVALID\): reason of 2$/,
  ],
  [['PASS'], 1, 'FAIL', /^nothing was measured with streams; the goal of 1 stream was not reached$/],
  [[], 1, 'FAIL', /^nothing was measured with streams; the goal of 1 stream was not reached$/],
])('rows %j with a goal of %i are %s', (verdicts, goal, verdict, reason) => {
  const outcome = judge(rows(verdicts), goal);
  expect(outcome.verdict).toBe(verdict);
  expect(outcome.reason).toMatch(reason);
});

test('a goal between two rows is judged by the upper one, and by a row between them where there is one', () => {
  expect(judge(rows(['PASS', 'PASS', 'FAIL'], [0, 2, 4]), 3, 8).verdict).toBe('FAIL');
  const refined = rows(['PASS', 'PASS', 'FAIL', 'PASS'], [0, 2, 4, 3]);
  const outcome = judge(refined, 3, 8);
  expect(outcome.verdict).toBe('PASS');
  expect(outcome.reason).toBe('3 streams ran without loss; with 4 streams: reason of 4');
});

test('a goal below the maximum is reached without the limit being found', () => {
  expect(judge(rows(['PASS', 'PASS', 'PASS']), 2, 4).reason).toMatch(/; no limit was found$/);
});

test('of the bad rows of a refined ramp the one with the fewest streams decides, whenever it was measured', () => {
  const measured = rows(['PASS', 'PASS', 'FAIL', 'FAIL', 'PASS'], [0, 2, 6, 4, 3]);
  expect(judge(measured, 6).reason).toBe(
    '3 streams ran without loss; with 4 streams: reason of 4; 1 other row was FAIL',
  );
});

test('repeats that did not pass make a WARN of the row that passed and stands for them', () => {
  const [baseline, clean] = rows(['PASS', 'PASS']) as [StreamsRow, StreamsRow];
  const repeats = (['PASS', 'FAIL', 'PASS', 'WARN', 'PASS'] as const).map((verdict, index) =>
    changedRow(clean, { verdict, figures: { [repeatMetrics.repeat]: index + 1 } }),
  );
  const shown = changedRow(clean, {
    figures: { [repeatMetrics.repeat]: null, [repeatMetrics.repeats]: 5 },
  });
  const outcome = judge([baseline, ...repeats, shown], 1);
  expect(outcome.verdict).toBe('WARN');
  expect(outcome.reason).toMatch(
    /; with 1 stream, 2 of 5 repeats did not pass \(1 FAIL, 1 WARN\); the limit was not reached/,
  );
  const passed = repeats.map((repeat) => ({ ...repeat, verdict: 'PASS' as const }));
  expect(judge([baseline, ...passed, shown], 1).verdict).toBe('PASS');
});

test('single repeats are not judged: the row that stands for them is', () => {
  const [baseline, clean, lost] = rows(['PASS', 'PASS', 'FAIL'], [0, 1, 1]) as [
    StreamsRow,
    StreamsRow,
    StreamsRow,
  ];
  const repeat = changedRow(clean, { figures: { [repeatMetrics.repeat]: 1 } });
  const shown = changedRow(lost, { figures: { [repeatMetrics.repeat]: null, [repeatMetrics.repeats]: 1 } });
  expect(judge([baseline, repeat, shown], 1).verdict).toBe('FAIL');
});

test('a damaged movie is a WARN that the sentence names, and no limit: nothing was lost (V15)', () => {
  const [baseline, one, two, three] = rows(['PASS', 'PASS', 'PASS', 'FAIL']) as [
    ...[StreamsRow, StreamsRow],
    ...[StreamsRow, StreamsRow],
  ];
  const damaged = changedRow(one, {
    ...{ verdict: 'WARN', reason: '4 pictures could not be read or decoded, the movie is damaged' },
    figures: { framesLateSource: 4, framesLateSourceDamaged: 4 },
  });
  expect(judge([baseline, damaged, two], 2)).toEqual({
    verdict: 'WARN',
    reason:
      '2 streams ran without loss; with 1 stream: 4 pictures could not be read or decoded, the movie is damaged; ' +
      'the limit was not reached: 2 streams were the most tested',
  });
  expect(judge([baseline, damaged, two, three], 3)).toEqual({
    verdict: 'FAIL',
    reason:
      '2 streams ran without loss; with 3 streams: reason of 3; ' +
      'with 1 stream: 4 pictures could not be read or decoded, the movie is damaged',
  });
});

test('late pictures are reported where no row did worse, and change nothing of the verdict', () => {
  const [baseline, one, two] = rows(['PASS', 'PASS', 'WARN']) as [StreamsRow, StreamsRow, StreamsRow];
  const late = changedRow(one, { figures: { framesLateSource: 3 }, reason: '3 pictures came late' });
  const outcome = judge([baseline, late], 1);
  expect(outcome.verdict).toBe('PASS');
  expect(outcome.reason).toMatch(
    /^1 stream ran .+; with 1 stream: 3 pictures came late; (the limit was not reached|no limit was found)/,
  );
  expect(judge([baseline, late, two], 2).reason).toMatch(/with 2 streams: reason of 2$/);
  expect(judge([baseline, one], 1).reason).not.toContain('late');
});

const blocked = [{ code: 'sdk-send-blocked', data: { receivers: 1, longestMs: null } }];

/** A full CPU of which our processes took so much. */
function fullOf(ownPercent: number): Fact[] {
  return [{ code: 'cpu-full', data: { whose: 'both', percent: 100, ownPercent } }];
}

/** A bad row of three streams with these figures, and a loss of the given stage. */
function badRow(
  figures: RowChanges['figures'],
  loss?: Pick<Loss, 'stage' | 'text' | 'causes'>,
  verdict: Verdict = 'FAIL',
): StreamsRow {
  const row = changedRow(exampleRow(), { streams: 3, verdict, reason: 'why', figures });
  const [stream] = row.subjects;
  if (!loss || !stream) return row;
  const times = { startedAt: row.from, endedAt: row.to };
  const losses = [1, 5].map((frames) => ({
    ...{ firstFrame: 1, lastFrame: 5, frames, streamsTogether: 1, ...times, ...loss },
    text: `${loss.text} (${frames})`,
  }));
  return { ...row, subjects: [{ ...stream, losses }] };
}

test('a single call that waited does not make the receiver the limit of a sender that is full', () => {
  const row = badRow({ senderMissed: true }, { stage: 'sender', text: 'the sender’s CPU was full' });
  const [stream] = row.subjects;
  const [small] = stream?.losses ?? [];
  if (!stream || !small) throw new Error('the row has a loss');
  small.causes = blocked;
  expect(limitText(row)).toMatch(/^with 3 streams, the sender was the limit: .+CPU was full/);
});

test.each<[string, StreamsRow, RegExp]>([
  ['the sender', badRow({ senderMissed: true }), /^with 3 streams, the sender was the limit: why$/],
  [
    'a sender whose machine was full of other work',
    badRow({ senderMissed: true }, { stage: 'sender', text: 'they were late', causes: fullOf(30) }),
    /^with 3 streams, other programs used up the CPU: why; its largest loss: they were late \(5\)$/,
  ],
  [
    'a send call that waits on a machine that is full of other work',
    badRow(
      { senderMissed: true },
      { stage: 'sender', text: 'they were late', causes: [...blocked, ...fullOf(30)] },
    ),
    /^with 3 streams, other programs used up the CPU: why; /,
  ],
  [
    'a sender whose machine was full of Whiteline’s own work',
    badRow({ senderMissed: true }, { stage: 'sender', text: 'they were late', causes: fullOf(60) }),
    /^with 3 streams, the sender was the limit: why; /,
  ],
  [
    'a send call that waits',
    badRow(
      { senderMissed: true },
      { stage: 'sender', text: 'its frames were not submitted', causes: blocked },
    ),
    /^with 3 streams, the transport’s send call did not return in time: why; its largest loss: its frames were not submitted \(5\)$/,
  ],
  [
    'the receiver',
    badRow({ framesDroppedReceiverQueue: 9, framesDroppedTransport: 2 }),
    /^with 3 streams, the receiver was the limit, its machine’s CPU at up to \d+ %: why$/,
  ],
  [
    'faults that the run injected',
    badRow(
      { framesDroppedTransport: 4 },
      { stage: 'transport', text: 'injected on purpose', causes: [{ code: 'injected', data: {} }] },
    ),
    /^with 3 streams, all 6 lost frames were injected on purpose; no limit is proved$/,
  ],
  [
    'faults that a remote sender says it injected',
    badRow(
      { senderMissed: true },
      { stage: 'sender', text: 'injected', causes: [{ code: 'sender-injected', data: {} }] },
    ),
    /^with 3 streams, all 6 frames that were not submitted were injected on purpose; no limit is proved$/,
  ],
  [
    'V5: a wall clock that was set, on a machine that is full',
    badRow(
      { framesDroppedTransport: 4 },
      {
        ...{ stage: 'transport', text: 'the wall clock was set' },
        causes: [
          { code: 'wall-clock-step', data: { byMs: -3_600_000 } },
          { code: 'disconnected', data: { milliseconds: 1500 } },
          ...fullOf(60),
        ],
      },
    ),
    /^with 3 streams, something else happened, so no limit is known: why; its largest loss: the wall clock was set /,
  ],
  [
    'a network that itself dropped packets, on a machine that is full of other work',
    badRow(
      { framesDroppedTransport: 4 },
      {
        ...{ stage: 'transport', text: 'packets were dropped' },
        causes: [{ code: 'interface-drops', data: { packets: 70 } }, ...fullOf(30)],
      },
    ),
    /^with 3 streams, the frames were lost on the way from sender to receiver: why; /,
  ],
  [
    'frames of which only some were injected',
    badRow(
      { framesDroppedTransport: 4 },
      {
        ...{ stage: 'transport', text: '1 of them injected' },
        causes: [{ code: 'injected', data: { frames: 1, others: 4 } }, ...fullOf(60)],
      },
    ),
    /^with 3 streams, the CPU was the limit: why; /,
  ],
  [
    'the network',
    badRow({ framesDroppedTransport: 4 }, { stage: 'transport', text: 'the link was full' }),
    /^with 3 streams, the frames were lost on the way from sender to receiver: why; its largest loss: the link was full \(5\)$/,
  ],
  [
    'a full CPU between two ends of one machine',
    badRow({ framesDroppedTransport: 4 }, { stage: 'transport', text: 'they were late', causes: fullOf(60) }),
    /^with 3 streams, the CPU was the limit: why; its largest loss: they were late \(5\)$/,
  ],
  [
    'a stream that never showed a frame',
    changedStream(badRow({ framesDroppedTransport: 4 }), { connectMs: null }),
    /^with 3 streams, not every stream came through: why$/,
  ],
  ['no one', badRow({}), /^with 3 streams: why$/],
  [
    'the instrument',
    badRow({ senderMissed: true }, undefined, 'INVALID'),
    /^with 3 streams \(INVALID\): why$/,
  ],
])('%s as the limit has words of its own', (_, row, text) => {
  expect(limitText(row)).toMatch(text);
});

/** Three streams: the second one lost what nobody injected. */
function partlyInjected(others: Pick<Loss, 'stage' | 'frames' | 'causes'>): StreamsRow {
  const row = badRow({ senderMissed: true, framesDroppedTransport: 3 }, { stage: 'sender', text: 'lost' });
  const [stream] = row.subjects;
  if (!stream) throw new Error('the row has a stream');
  const put = [{ code: 'injected', data: {} }];
  const [one] = stream.losses;
  if (!one) throw new Error('the row has a loss');
  const losses: Loss[] = [
    { ...one, frames: 5, causes: put },
    { ...one, stage: 'transport', frames: 3, causes: put },
    { ...one, ...others, text: 'the one beside them' },
  ];
  return { ...row, subjects: [{ ...stream, losses }] };
}

test('what was injected is no limit, and neither is a little beside it', () => {
  expect(limitText(partlyInjected({ stage: 'sender', frames: 1, causes: blocked }))).toBe(
    'with 3 streams, 9 frames were lost: 8 injected on purpose, 1 that the sender missed; no limit is proved; ' +
      'the largest loss that was not injected: the one beside them',
  );
  expect(limitText(partlyInjected({ stage: 'transport', frames: 2, causes: [] }))).toMatch(
    /^with 3 streams, 10 frames were lost: 8 injected on purpose, 2 for another reason; no limit is proved; /,
  );
});

test('most frames that nobody injected name the limit, whatever was injected where', () => {
  const lost = partlyInjected({ stage: 'receiver-queue', frames: 40, causes: [] });
  const figures = { ...lost.figures, framesDroppedReceiverQueue: 40 };
  expect(limitText({ ...lost, figures })).toMatch(
    /^with 3 streams, the receiver was the limit.*: why; its largest loss: the one beside them$/,
  );
});

test('a run that ended before its first stream says what took the CPU first', () => {
  const [row] = rows(['INVALID']);
  if (!row) throw new Error('there is a row');
  const reason: Fact[] = [
    { code: 'busy-baseline', data: { percent: 88.3, limitPercent: 25, judged: 0 } },
    { code: 'process-starved', data: { role: 'engine', seconds: 0.575, limitSeconds: 0.25 } },
  ];
  expect(judge([{ ...row, reason }], 1).reason).toBe(
    'nothing was measured with streams: before the first one, other programs took 88.3 % of the CPU (limit 25 %); ' +
      'our engine process waited for a processor for 0.575 s (limit 0.25 s); ' +
      'what to do: close other programs, or measure on a quieter machine (the experiment Quiet machine says whether it is)',
  );
});
