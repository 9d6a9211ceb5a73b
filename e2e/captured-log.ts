import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamRow } from '../app/protocol/row';

/** What a receiver wrote down by itself, beside the records that the engine counts. */
export interface CapturedNumbers {
  /** Distinct frame numbers within the range. */
  seen: Set<number>;
  /** Pictures that came with a number of the range. */
  pictures: number;
}

/** Reads one line per captured picture: captureNs sourceId frameNumber status senderId. */
export function capturedNumbers(folder: string, row: StreamRow): CapturedNumbers {
  const text = readFileSync(join(folder, `captured-${row.streamId}.log`), 'latin1');
  const seen = new Set<number>();
  let pictures = 0;
  for (const line of text.trim().split('\n')) {
    const [, , frameNumber = Number.NaN, status] = line.split(' ').map(Number);
    const undecodable = status === 3;
    if (undecodable || frameNumber < (row.firstFrame ?? 0) || frameNumber > (row.lastFrame ?? -1)) continue;
    seen.add(frameNumber);
    pictures += 1;
  }
  return { seen, pictures };
}

/** Numbers of the row that the log lacks. */
export function numbersNotCaptured(row: StreamRow, captured: CapturedNumbers): number[] {
  const absent: number[] = [];
  for (let frame = row.firstFrame ?? 0; frame <= (row.lastFrame ?? -1); frame++) {
    if (!captured.seen.has(frame)) absent.push(frame);
  }
  return absent;
}
