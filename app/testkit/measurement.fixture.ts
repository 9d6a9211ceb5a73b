import type { Figures, Measurement, Row } from './types';

/** What a test made up that a stream measured. */

export const clean: Figures = {
  ...{ picturesCaptured: 900, framesDuplicated: 0 },
  ...{
    framesDropped: 0,
    framesReordered: 0,
    framesMissing: null,
    framesUndecodable: 0,
    framesUndecodableUnmatched: 0,
  },
  ...{ framesWrongSize: 0, framesTorn: 0, framesStale: 0, framesDamaged: 0, framesDiscoloured: 0 },
  ...{ framesDimmed: 0, framesMislabelled: 0, framesSpoilt: 0, framesInOutages: 0, framesSenderMissed: 0 },
  ...{ stalls: 0, longestGapMs: 40, 'latencyMs.p99': 12 },
};

export function measurement(rows: Partial<Row>[], about: Partial<Measurement> = {}): Measurement {
  const row: Row = { from: '', to: '', verdict: 'PASS', reason: [], figures: clean, notMeasured: {} };
  return {
    ...{ source: 'A (x)', method: 'frame-code', from: '', to: '', seconds: 30, standstill: null },
    ...{ rows: rows.map((one) => ({ ...row, ...one })), losses: [], outages: [], silences: [], events: [] },
    cutBefore: null,
    ...about,
  };
}

export const withNothing = (figures: Figures): Measurement =>
  measurement([{ figures: { ...clean, ...figures } }]);
export const withFigures = (figures: Figures): Measurement =>
  measurement([{}, { figures: { ...clean, ...figures } }]);
