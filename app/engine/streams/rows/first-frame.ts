import { reasonOf } from '../../../facts/reason-words';
import type { Thresholds } from '../../../protocol/thresholds';
import type { Span } from '../counting/capture-counter';
import type { Stream } from '../stream';
import { brokenRule, type Circumstances, loss, nothingCounted, type StreamEvidence } from './judgement';

type Awaited = Pick<Stream, 'name' | 'addedNs' | 'firstPictureNs' | 'uncounted'>;

/** When the first picture of a stream is waited for. */
export function waitedFor({ addedNs }: Pick<Stream, 'addedNs'>, { connectTimeoutSeconds }: Thresholds): Span {
  return { fromNs: addedNs, toNs: addedNs + connectTimeoutSeconds * 1e9 };
}

/**
 * Evidence about a stream without a counted frame. Without a picture in time it has failed. Any picture of its sender counts for that: if
 * none can be counted, nothing is proved.
 */
export function withoutFrames(
  stream: Awaited,
  { fromNs, toNs }: Span,
  thresholds: Thresholds,
  circumstances: Circumstances,
): StreamEvidence {
  const nothing = nothingCounted(circumstances);
  const { name, firstPictureNs, uncounted } = stream;
  const waited = waitedFor(stream, thresholds);
  if (firstPictureNs > 0 && firstPictureNs <= Math.max(fromNs, waited.toNs))
    return { ...nothing, absent: [reasonOf('pictures-uncounted', uncounted.kinds)] };
  if (toNs < waited.toNs) return nothing;
  const { connectTimeoutSeconds: seconds } = thresholds;
  const rule = brokenRule(
    { rule: 'first-frame', windowSeconds: seconds },
    waited,
    circumstances.wallOffsetUs,
  );
  const fact = reasonOf('no-first-frame', { seconds, added: name, ...rule });
  return { ...nothing, absent: [], findings: [loss(true, fact)] };
}
