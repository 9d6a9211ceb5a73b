import { readFileSync } from 'node:fs';
import type { SpoiltKind } from '../../facts/spoilt';
import { PictureStatus } from '../../protocol/records';
import { spoiltKindOf } from '../../protocol/spoilt-status';
import type { Span } from '../streams/counting/capture-counter';

/** One picture in a receiver's own log, which the native core writes beside the records that are counted. */
export interface LoggedPicture {
  captureNs: number;
  sourceId: number;
  /** Not that of a picture whose code could not be read. */
  frameNumber: number;
  /** `PictureStatus`. */
  status: number;
  senderId: number;
}

/** Reads one line per captured picture: captureNs sourceId frameNumber status senderId. */
export function readCapturedLog(path: string): LoggedPicture[] {
  const lines = readFileSync(path, 'latin1').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [captureNs, sourceId, frameNumber, status, senderId] = line.split(' ').map(Number);
    if (senderId === undefined) throw new Error(`${path} has a line that is none: ${line}`);
    return { captureNs, sourceId, frameNumber, status, senderId } as LoggedPicture;
  });
}

/** What a log says of a range of frame numbers, counted in the order in which pictures came. */
export interface LogCount {
  seen: Set<number>;
  /** Pictures with a number of the range, again and again those that came twice. */
  pictures: number;
  /** Numbers of the range that the log lacks, rising. */
  lacking: number[];
  /** One entry for each picture beyond a number's first. */
  duplicated: number[];
  reordered: number[];
  /** Numbers whose first picture was not whole, by kind. */
  spoilt: Record<SpoiltKind, number[]>;
  /** Pictures without a readable code between the first and the last picture of the range. */
  undecodable: number;
  /** Times without any picture that are too long: see `silencesIn`. */
  silences: number;
}

/** A row by the clock of the machine, and how long no picture is a silence. */
export interface LoggedRow extends Span {
  silenceNs: number;
}

/** Silences are not asked for. */
const noRow: LoggedRow = { fromNs: 0, toNs: 0, silenceNs: Number.POSITIVE_INFINITY };

export function noneSpoilt(): Record<SpoiltKind, number[]> {
  return {
    ...{ 'wrong-size': [], torn: [], stale: [], damaged: [] },
    ...{ discoloured: [], dimmed: [], mislabelled: [] },
  };
}

export function countLog(
  log: readonly LoggedPicture[],
  first: number,
  last: number,
  row: LoggedRow = noRow,
): LogCount {
  const isWithin = ({ status, frameNumber }: LoggedPicture): boolean =>
    status !== PictureStatus.Undecodable && frameNumber >= first && frameNumber <= last;
  const count: LogCount = {
    ...{ seen: new Set(), pictures: 0, lacking: [], duplicated: [], reordered: [] },
    ...{ spoilt: noneSpoilt(), undecodable: 0, silences: silencesIn(log, row) },
  };
  const begin = log.findIndex(isWithin);
  const end = log.length - [...log].reverse().findIndex(isWithin);
  let highest = first - 1;
  for (const picture of begin < 0 ? [] : log.slice(begin, end)) {
    const { frameNumber, status } = picture;
    if (status === PictureStatus.Undecodable) count.undecodable += 1;
    if (!isWithin(picture)) continue;
    count.pictures += 1;
    if (count.seen.has(frameNumber)) {
      count.duplicated.push(frameNumber);
      continue;
    }
    if (frameNumber < highest) count.reordered.push(frameNumber);
    count.seen.add(frameNumber);
    highest = Math.max(highest, frameNumber);
    const kind = spoiltKindOf(status);
    if (kind) count.spoilt[kind].push(frameNumber);
  }
  for (let frame = first; frame <= last; frame++) if (!count.seen.has(frame)) count.lacking.push(frame);
  return count;
}

/**
 * Times of a row without any picture, in each of which no picture came for at least `silenceNs`. One may begin before the row; one that
 * the row's end cuts counts as far as that end, or to the next picture.
 */
function silencesIn(log: readonly LoggedPicture[], { fromNs, toNs, silenceNs }: LoggedRow): number {
  const times = log.map(({ captureNs }) => captureNs);
  if ((times[0] ?? toNs) > fromNs) times.unshift(fromNs);
  if ((times.at(-1) ?? fromNs) < toNs) times.push(toNs);
  return times.filter((timeNs, index) => {
    const beforeNs = times[index - 1] ?? timeNs;
    return timeNs > fromNs && beforeNs < toNs && timeNs - beforeNs >= silenceNs;
  }).length;
}
