import { isoOf } from '../clock';
import type { Stream } from './stream';

/** What is said of a stream whose sender ended as asked, and when that was, by our clock: "its sender ended as asked at 21:25:24 UTC". */
export function endedText({ endedNs }: Pick<Stream, 'endedNs'>, wallOffsetUs: number): string {
  return `its sender ended as asked at ${isoOf(endedNs ?? 0, wallOffsetUs).slice(11, 19)} UTC`;
}
