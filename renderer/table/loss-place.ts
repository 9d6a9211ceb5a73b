import type { End } from '../../app/facts/leading-cause';
import type { LossPlace } from '../../app/protocol/report';
import { texts } from '../texts';

const { stages, ends } = texts.losses;

/** Where frames were lost, in words that agree with their cause. */
export function lossPlace(stage: LossPlace, end: End | null): string {
  if (end === null) return stages[stage];
  return stage === 'missing' ? ends[end] : `${stages[stage]}, ${ends[end].toLowerCase()}`;
}
