import { spoiltFigures } from '../../facts/spoilt';
import type { LoadSample } from '../../protocol/load';
import type { CaptureCounter } from './counting/capture-counter';
import type { ForeignCounts } from './foreign/foreign-ledger';
import type { LiveCounts } from './live-count';
import type { OwnCounts } from './past-counts';
import { unknownKeys } from './rows/stream-row';
import type { Stream } from './stream';

/** What a strip counts; null if it was not measured, as in a row. */
type Counted = Omit<OwnCounts, 'framesInOutages'>;

const uncounted: Counted = {
  ...{ lostTotal: null, framesSubmitted: null, framesReceived: null, framesDropped: null },
  ...{ framesMissing: null, framesSenderMissed: null, framesDuplicated: null, framesReordered: null },
  ...{ framesLateSource: null, framesLateSourceDisk: null, framesLateSourceDecode: null },
  ...{ framesLateSourceDamaged: null, framesUndecodable: null },
  ...{ framesWrongSize: null, framesTorn: null, framesStale: null, framesDamaged: null },
  ...{ framesDiscoloured: null, framesDimmed: null, framesMislabelled: null },
};

export function countsOf(stream: Stream, { coded, foreign }: LiveCounts): Counted {
  if (foreign) return foreignCounts(foreign);
  if (!coded) return uncounted;
  const { tally } = coded;
  const isAssumed = stream.ledger?.identity.assumeSubmitted === true;
  const counted: Counted = {
    lostTotal: tally.lostFrames,
    framesSubmitted: tally.submitted,
    framesReceived: coded.received,
    framesDropped: tally.dropped,
    framesMissing: isAssumed ? tally.dropped : null,
    framesSenderMissed: tally.missed,
    framesLateSource: tally.lateSource,
    framesLateSourceDisk: tally.lateCauses.Disk,
    framesLateSourceDecode: tally.lateCauses.Decode,
    framesLateSourceDamaged: tally.lateCauses.Damaged,
    framesDuplicated: coded.duplicated,
    framesReordered: coded.reordered,
    ...spoiltFigures(coded.spoilt),
    framesUndecodable: tally.matched + coded.undecodableUnmatched,
  };
  const unknown = unknownKeys(stream, coded).keys.filter(isCountKey);
  return { ...counted, ...Object.fromEntries(unknown.map((key) => [key, null])) };
}

function isCountKey(key: string): boolean {
  return key in uncounted;
}

function foreignCounts({ missing, received, duplicated, reordered }: ForeignCounts): Counted {
  return {
    ...{ ...uncounted, lostTotal: missing, framesMissing: missing },
    ...{ framesReceived: received, framesDuplicated: duplicated, framesReordered: reordered },
  };
}

export function shownOf({ display }: Stream, nowNs: number) {
  const shown = display?.live(nowNs) ?? null;
  return {
    framesDisplayMissed: shown?.missed ?? null,
    framesDisplayMissedDelivery: shown?.missedDelivery ?? null,
    framesDisplayMissedUpload: shown?.missedUpload ?? null,
    framesDisplayMissedPresentation: shown?.isPresentationKnown ? shown.missedPresentation : null,
    displayTicksMissed: shown?.ticksMissed ?? null,
  };
}

/** Own traffic of a stream that is alone, in the newest second: the sockets of a process are counted together. */
export function ownBitrateOf(
  streams: readonly Stream[],
  newest: LoadSample | undefined,
  isSenderRemote: boolean,
): number | null {
  const [stream] = streams;
  if (!stream || streams.length > 1 || newest?.streams !== 1) return null;
  if (isSenderRemote) return newest.roles.receiving?.traffic?.receivedMbps ?? null;
  return stream.connections === 1 ? (newest.roles.sending?.traffic?.sentMbps ?? null) : null;
}

export function latencyOf({ releaseMisfit }: Stream, counter: CaptureCounter | null) {
  const known = releaseMisfit === null ? counter : null;
  const uncertaintyUs = known?.latencyUncertaintyUs ?? null;
  const [latencyP50Ms = null, latencyP99Ms = null] = known?.latency.percentilesMs([50, 99]) ?? [];
  return {
    latencyP50Ms,
    latencyP99Ms,
    latencyUncertaintyMs: uncertaintyUs === null ? null : uncertaintyUs / 1000,
    codeHealthMin: counter?.codeHealthMin ?? null,
  };
}
