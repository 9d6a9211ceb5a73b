import {
  type Distribution,
  distributionSchema,
  fewerValuesText,
  gapHistogramSchema,
} from '../../../facts/distribution';
import type { ReasonedNumber } from '../../../facts/reasoned';
import { distributionFigures, noStreamReason, type TimedId } from '../../../facts/stream-row';
import { onlyReceiverKnows } from '../../../facts/two-sides';

/** Why figures of a row are not measured, in words. */
export const reasons = {
  framesMissing: 'the sender’s own records are known: see framesDropped and framesSenderMissed',
  noProgramme: 'the stream is not watched as a mixer’s programme',
  foreignProgramme: 'the source has no frame code, by which its cuts would be seen',
  noDisplay: 'no display window showed the stream',
  noFeedback: 'the browser does not report what it presented: see displayTicksMissed',
  foreignDisplay: 'the sender’s pictures carry no frame code, by which the display window counts',
  lateUnreported: 'the sender’s records do not report which pictures came late',
  lateCommand: 'ffmpeg plays the movie: it does not separate its disk from its decoding',
  sender: 'the sender’s own records are not known: see framesMissing',
  foreign: 'the sender’s pictures carry no frame code: see framesMissing',
  foreignRelease: 'the sender’s pictures carry no frame code, which says when they were released',
  queueUncounted: 'the transport does not report what its receiver’s queue dropped: see framesDropped',
  otherClock: 'the difference to the clock of the sender’s machine is not known',
  oneClock: 'sender and receiver share one clock',
  submitTimes: 'the sender’s records do not report when its frames were submitted',
  noSubmit: 'fewer than two frames were submitted',
  noCapture: 'fewer than two frames were captured',
  noRecord: 'no record of the sender came',
  uncounted: 'pictures came, but none by which frames can be counted',
  outage: 'no picture arrived in the row',
  noRate: 'an outage of a sender whose rate is not known',
  noSound: 'no sound came',
  noBurst: 'no tone burst of the row was found with its picture',
  noWitness:
    'no witness between the strips: the sender does not announce its pictures, or draws no white line',
  noLine: 'too few tone bursts were found in the row, or none near its beginning or its end',
  openRow: 'known once the row is closed',
  noBlockNumbers: 'the sound carries no frame numbers',
  bitratePerStream: 'the sockets of a process are counted together, not by stream',
  otherStreams:
    'streams that are not in this row travelled too, or may have: the sockets of a process are counted together',
  otherReceivers:
    'a sender of the row serves more receivers than the row has: what it sends to all of them is counted together',
  receiversUncounted:
    'the transport does not report how many receivers a sender serves: what it sends to all of them is counted together',
  unevenTraffic:
    'a stream stood still, and what travelled in the parts of a second at the ends of the row is in no load sample',
  noStream: noStreamReason,
  noSlot: 'no frame of the stream was due in the row',
  remoteSender: 'the sender runs on another machine and does not report it',
  agedLoad: 'the sender did not report its load all the time: a value that has aged is not repeated',
  remoteReceiver: onlyReceiverKnows,
  noFrame: 'no frame was captured in the row',
  gaveWay:
    'no frame of this start of the sender was captured in the row; those of its next start are counted from its first picture, in a row between the two if one is lost before the next row opens',
  notConnected: 'no frame was captured yet',
  clock: 'captures seem older than their release: the clocks disagree',
} as const;

const figures = Object.keys(distributionSchema.shape);
const gapClasses = Object.keys(gapHistogramSchema.shape);

/** Why a stream has no figure of frames; `after`: another start has taken its place. */
export function noFrameOf({ after }: { after: object | null }): string {
  return after ? reasons.gaveWay : reasons.noFrame;
}

export type NotMeasured = Record<string, string>;

/** Paths of the figures of a distribution. */
export function figuresOf(distribution: string): string[] {
  return figures.map((figure) => `${distribution}.${figure}`);
}

export const gapPaths = gapClasses.map((name) => `gapHistogram.${name}`);

/** Notes why a distribution has no tail; if all of it is absent, that is noted earlier. */
export function noteTail(notMeasured: NotMeasured, id: string, { p999 }: Pick<Distribution, 'p999'>): void {
  if (p999 === null) note(notMeasured, [`${id}.p999`], fewerValuesText('p999'));
}

/** Notes one reason for all of these paths, but for those that have one. */
export function note(notMeasured: NotMeasured, paths: readonly string[], reason: string): void {
  for (const path of paths) notMeasured[path] ??= reason;
}

/** A distribution, or why there is none; the tail alone may be absent. */
export function reasonedDistribution<const Id extends TimedId>(
  id: Id,
  distribution: Distribution,
  reason: string,
): Readonly<Record<`${Id}.${keyof Distribution}`, ReasonedNumber>> {
  const whyNot = (name: string): string =>
    distribution.p50 !== null && name === `${id}.p999` ? fewerValuesText('p999') : reason;
  const entries = Object.entries<number | null>(distributionFigures(id, distribution)).map(
    ([name, value]) => [name, [value, whyNot(name)]] as const,
  );
  return Object.fromEntries(entries) as Record<`${Id}.${keyof Distribution}`, ReasonedNumber>;
}
