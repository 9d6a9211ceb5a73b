import { readFileSync } from 'node:fs';
import type { SpoiltKind } from '../../facts/spoilt';
import { PictureStatus } from '../../protocol/records';
import { spoiltKindOf } from '../../protocol/spoilt-status';

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
  /** Times without any picture between them of at least `silenceSeconds`. */
  silences: number;
}

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
  silenceSeconds = Number.POSITIVE_INFINITY,
): LogCount {
  const isWithin = ({ status, frameNumber }: LoggedPicture): boolean =>
    status !== PictureStatus.Undecodable && frameNumber >= first && frameNumber <= last;
  const count: LogCount = {
    ...{ seen: new Set(), pictures: 0, lacking: [], duplicated: [], reordered: [] },
    ...{ spoilt: noneSpoilt(), undecodable: 0, silences: 0 },
  };
  const begin = log.findIndex(isWithin);
  const end = log.length - [...log].reverse().findIndex(isWithin);
  let highest = first - 1;
  let beforeNs = log[begin]?.captureNs ?? 0;
  for (const picture of begin < 0 ? [] : log.slice(begin, end)) {
    const { captureNs, frameNumber, status } = picture;
    if (captureNs - beforeNs >= silenceSeconds * 1e9) count.silences += 1;
    beforeNs = captureNs;
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
