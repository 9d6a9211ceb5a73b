/** What can be wrong with a frame that came; the first that applies counts. docs/measurement.md defines each. */
export const spoiltKinds = [
  'wrong-size',
  'torn',
  'stale',
  'damaged',
  'discoloured',
  'dimmed',
  'mislabelled',
] as const;

export type SpoiltKind = (typeof spoiltKinds)[number];

export function isSpoiltKind(stage: string): stage is SpoiltKind {
  return stage in spoiltFigureOf;
}

export type SpoiltCounts = Record<SpoiltKind, number>;

/** The figure that counts each kind. */
export const spoiltFigureOf = {
  'wrong-size': 'framesWrongSize',
  torn: 'framesTorn',
  stale: 'framesStale',
  damaged: 'framesDamaged',
  discoloured: 'framesDiscoloured',
  dimmed: 'framesDimmed',
  mislabelled: 'framesMislabelled',
} as const satisfies Record<SpoiltKind, string>;

export type SpoiltFigure = (typeof spoiltFigureOf)[SpoiltKind];

export function noSpoilt(): SpoiltCounts {
  return {
    ...{ 'wrong-size': 0, torn: 0, stale: 0, damaged: 0 },
    ...{ discoloured: 0, dimmed: 0, mislabelled: 0 },
  };
}

export function spoiltSum(counts: SpoiltCounts): number {
  return spoiltKinds.reduce((sum, kind) => sum + counts[kind], 0);
}

/** The counts by their figures. */
export function spoiltFigures(counts: SpoiltCounts): Record<SpoiltFigure, number> {
  return {
    framesWrongSize: counts['wrong-size'],
    framesTorn: counts.torn,
    framesStale: counts.stale,
    framesDamaged: counts.damaged,
    framesDiscoloured: counts.discoloured,
    framesDimmed: counts.dimmed,
    framesMislabelled: counts.mislabelled,
  };
}
