import type { GapHistogram } from '../../app/facts/distribution';
import type { Figures } from '../../app/facts/figure';
import type { Loss, LossStage } from '../../app/facts/loss';
import type { Row, Subject } from '../../app/facts/row';
import { distributionFigures, gapFigures } from '../../app/facts/stream-row';
import type { StreamView } from '../../app/protocol/console';
import { sentence } from '../../app/testing/sentence';
import { nothingMeasured, type RowChange, rowOf, streamView, uncountedFigures } from './fixtures';

/** Rows with losses of every stage on several streams, and streams and rows of a sender without our code. */

const startMs = Date.parse('2026-11-21T19:00:00.000Z');
const frameMs = 1000 / 60;

function loss(
  stage: LossStage,
  firstFrame: number,
  frames: number,
  streamsTogether: number,
  text: string,
): Loss {
  const at = (frame: number): string => new Date(startMs + (frame - 900) * frameMs).toISOString();
  const lastFrame = firstFrame + frames - 1;
  return {
    stage,
    firstFrame,
    lastFrame,
    frames,
    startedAt: at(firstFrame),
    endedAt: at(lastFrame + 1),
    streamsTogether,
    text,
  };
}

const noGap: GapHistogram = { of1: 0, of2: 0, of3to5: 0, of6to10: 0, of11to30: 0, over30: 0 };

function gapsOf(losses: readonly Loss[]): GapHistogram {
  const gaps = { ...noGap };
  for (const { frames } of losses) {
    if (frames === 1) gaps.of1 += 1;
    else if (frames === 2) gaps.of2 += 1;
    else if (frames <= 5) gaps.of3to5 += 1;
    else if (frames <= 10) gaps.of6to10 += 1;
    else if (frames <= 30) gaps.of11to30 += 1;
    else gaps.over30 += 1;
  }
  return gaps;
}

function sumOf(losses: readonly Loss[], stage: LossStage): number {
  return losses.reduce((sum, each) => sum + (each.stage === stage ? each.frames : 0), 0);
}

/** Counts that follow from losses. */
function countsOf(losses: readonly Loss[], scheduled: number): Figures {
  const missed = sumOf(losses, 'sender');
  const queue = sumOf(losses, 'receiver-queue');
  const transport = sumOf(losses, 'transport');
  return {
    framesSenderMissed: missed,
    framesSubmitted: scheduled - missed,
    framesDroppedReceiverQueue: queue,
    framesDroppedTransport: transport,
    framesDropped: queue + transport,
    framesUndecodable: sumOf(losses, 'undecodable'),
    framesReceived: scheduled - missed - queue - transport,
    worstSecondLost: Math.max(0, ...losses.map(({ frames }) => frames)),
    ...gapFigures(gapsOf(losses)),
  };
}

/** A row whose streams, the first one first, lost this. */
function rowWith(streams: number, losses: readonly Loss[][], { figures, ...change }: RowChange): Row {
  const row = rowOf(streams, {
    ...{ from: new Date(startMs).toISOString(), ...change },
    figures: { ...countsOf(losses.flat(), streams * 600), ...figures },
  });
  const subjects = row.subjects.map((stream, place): Subject => {
    const own = losses[place] ?? [];
    const isSpoilt = own.length > 0;
    return {
      ...{ ...stream, losses: own, figures: { ...stream.figures, ...countsOf(own, 600) } },
      ...(isSpoilt && { verdict: 'FAIL', reason: sentence('Frames were lost') }),
    };
  });
  return { ...row, subjects };
}

const limitedLink = (frames: number, from: string, to: string): string =>
  `${frames} frames between ${from} and ${to} were submitted and never arrived; the interface veth0 was at its limit (94.7 of 100 Mb/s) and TCP sent 312 segments again meanwhile.`;
const stoppedReceiver =
  '12 frames between 19:00:05.2 and 19:00:05.4 were submitted and lay in the receiver’s queue until it overflowed; our receiving process was stopped (state T), so the machine was not at its limit.';
const slowFile =
  '2 frames at 19:00:07.9 were never submitted: the source’s disk was late with /media/archive/2026/autumn/detail-and-motion-2160p60-hap-q.mov, which the sender had to wait for.';

export const lossRows: Row[] = [
  rowOf(0),
  rowOf(1),
  rowWith(
    2,
    [
      [loss('transport', 1020, 1, 2, limitedLink(1, '19:00:02.0', '19:00:02.0'))],
      [loss('transport', 1020, 1, 2, limitedLink(1, '19:00:02.0', '19:00:02.0'))],
    ],
    {
      ...{ verdict: 'WARN', reason: '1 frame lost in the worst 2 s of stream 1' },
      figures: { longestGapMs: 41.2 },
    },
  ),
  rowWith(
    3,
    [
      [
        loss('transport', 960, 31, 3, limitedLink(31, '19:00:01.0', '19:00:01.5')),
        loss('receiver-queue', 1212, 12, 1, stoppedReceiver),
      ],
      [
        loss('transport', 960, 4, 3, limitedLink(4, '19:00:01.0', '19:00:01.1')),
        loss('undecodable', 1300, 3, 1, '3 pictures at 19:00:06.7 came solid green and show no code.'),
      ],
      [
        loss('transport', 961, 1, 3, limitedLink(1, '19:00:01.0', '19:00:01.0')),
        loss('sender', 1374, 2, 1, slowFile),
      ],
    ],
    {
      verdict: 'INVALID',
      figures: { longestGapMs: 534.1, stalls: 1, worstWindowLost: 43 },
      reason:
        'Our own receiver was late with 12 frames of stream 1 while its machine was at 52 % load; the gap between two load samples was 2.3 s; and the machine stole 7.1 % of our processor time',
    },
  ),
];

const oneMissing = '1 frame is missing, by the timestamps of CAMERA-4 (HX Output)';

export const foreignStreams: StreamView[] = [
  foreign(1, {
    name: 'CAMERA-4 (HX Output)',
    ...{ framesMissing: 1, lostTotal: 1, lostNow: 0 },
    verdict: 'WARN',
    reason: oneMissing,
    framesPerSecond: 29.97,
  }),
  foreign(2, {
    name: 'STUDIO-PC (Character generator, programme and preview)',
    lossesNotMeasured: 'the sender’s frames come at no steady rate',
  }),
];

function foreign(id: number, change: Partial<StreamView>): StreamView {
  return streamView(id, {
    isSenderRemote: true,
    method: 'timestamps',
    ...uncountedFigures,
    framesReceived: 3612,
    framesDuplicated: 0,
    framesReordered: 0,
    latencyP50Ms: null,
    latencyP99Ms: null,
    codeHealthMin: null,
    audioOffsetMs: null,
    audioBlocksMissing: null,
    verdict: null,
    reason: '',
    ...change,
  });
}

const noRecords = 'the sender’s records are not known: it is not ours';

export const foreignRows: Row[] = [rowOf(0), foreignRow()];

function foreignRow(): Row {
  const missing = loss(
    'missing',
    1020,
    1,
    1,
    '1 frame at 19:00:02.0 is missing between two timestamps; where it was lost cannot be known, for the sender is not ours.',
  );
  const figures: Figures = {
    framesScheduled: null,
    framesSubmitted: null,
    framesSenderMissed: null,
    framesLateSource: null,
    framesDropped: null,
    framesDroppedReceiverQueue: null,
    framesDroppedTransport: null,
    framesUndecodable: null,
    framesMissing: 1,
    framesReceived: 599,
    ...gapFigures(gapsOf([missing])),
    ...distributionFigures('latencyMs', nothingMeasured),
    latencyJitterMs: null,
    ...distributionFigures('submitIntervalMs', nothingMeasured),
    submitJitterMs: null,
    audioOffsetMs: null,
    audioDriftMs: null,
  };
  const judged = {
    ...{ verdict: 'WARN' as const, reason: sentence(oneMissing) },
    notMeasured: { framesDropped: noRecords, framesSubmitted: noRecords, framesSenderMissed: noRecords },
  };
  const row = rowOf(1, { ...judged, figures });
  const subjects = row.subjects.map((stream): Subject => {
    const own = { ...stream.figures, ...figures, method: 'timestamps' };
    return { ...stream, ...judged, name: 'CAMERA-4 (HX Output)', losses: [missing], figures: own };
  });
  return { ...row, subjects };
}

const newFields = [
  'method',
  'worstSecondLost',
  'gapHistogram',
  'picturesWrongSource',
  'latencyJitterMs',
  'clockOffsetMs',
  'latencyUncertaintyMs',
  'submitIntervalMs',
  'submitJitterMs',
  'receiveIntervalMs',
  'receiveJitterMs',
  'audioBlocksMissing',
  'audioOffsetMs',
  'audioDriftMs',
  'framesDisplayShown',
  'framesDisplayMissedDelivery',
  'framesDisplayMissedUpload',
  'framesDisplayMissedPresentation',
  'displayTicksMissed',
];

/** Rows without what newer rows have. */
export const rowsOfOldVersion: Row[] = [rowOf(0), rowOf(1), rowOf(2)].map((row) => ({
  ...row,
  figures: withoutNew(row.figures),
  subjects: row.subjects.map(({ losses: _, ...stream }) => ({
    ...stream,
    figures: withoutNew(stream.figures),
  })),
}));

function withoutNew(figures: Figures): Figures {
  return Object.fromEntries(
    Object.entries(figures).filter(([id]) => !newFields.includes(id.split('.')[0] ?? id)),
  );
}
