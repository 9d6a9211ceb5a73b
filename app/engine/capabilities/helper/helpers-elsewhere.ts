import { experiments } from '../../../experiments/runs';
import type { HelperElsewhere } from './helper-elsewhere';

/** All that an agent starts for consoles, by their kinds. */
export function helpersElsewhere(): ReadonlyMap<string, HelperElsewhere> {
  const all = experiments.flatMap(({ helpersElsewhere: own = [] }) => own);
  return new Map(all.map((helper) => [helper.program().role, helper]));
}
