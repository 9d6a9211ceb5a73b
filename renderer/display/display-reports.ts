import { type DisplayReport, mostFramesReported } from '../../app/protocol/display';
import type { SettledFrame } from './display-counter';

/** What the engine is sent of these frames: one report, empty or not, and further ones where it is too much for one. */
export function displayReports(
  head: Pick<DisplayReport, 'streamId' | 'isPresentationKnown' | 'ticksMissed'>,
  settled: readonly SettledFrame[],
): DisplayReport[] {
  const reports: DisplayReport[] = [];
  for (let begin = 0; begin === 0 || begin < settled.length; begin += mostFramesReported) {
    const part = settled.slice(begin, begin + mostFramesReported);
    reports.push({
      ...head,
      ticksMissed: begin === 0 ? head.ticksMissed : 0,
      sourceIds: part.map(({ sourceId }) => sourceId),
      frameNumbers: part.map(({ frameNumber }) => frameNumber),
      fates: part.map(({ fate }) => fate),
    });
  }
  return reports;
}
