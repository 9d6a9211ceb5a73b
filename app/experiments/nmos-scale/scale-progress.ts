import type { NodesMessageOf } from '../../nmos/programs/messages';
import {
  breakRowSeconds,
  controllerRowsSeconds,
  type NmosScaleParameters,
  registrationRowSeconds,
} from './declaration';
import type { PartReadings } from './part-readings';

export type PartPlan = Pick<PartReadings, 'part' | 'break'>;

/** The parts of a run in order; the end of a registry comes last. */
export function partPlans({ breaksSeconds, inNamespaces, kill }: NmosScaleParameters): PartPlan[] {
  const by = inNamespaces ? 'link' : 'silence';
  return [
    { part: 'registration', break: null },
    ...breaksSeconds.map((seconds): PartPlan => ({ part: 'break', break: { seconds, by } })),
    ...(kill ? [{ part: 'registry killed', break: null } satisfies PartPlan] : []),
  ];
}

/** What is done now: a part, or what a controller does after the registration. */
export interface Doing {
  /** Of the plans. */
  index: number;
  isControlling: boolean;
  /** Since it began. */
  elapsedSeconds: number;
}

/** About how long the run takes from now on. */
export function remainingSeconds(
  plans: readonly PartPlan[],
  parameters: NmosScaleParameters,
  { index, isControlling, elapsedSeconds }: Doing,
): number {
  const steps = plans.flatMap((plan) =>
    plan.part === 'registration'
      ? [registrationRowSeconds(parameters), controllerRowsSeconds(parameters)]
      : [breakRowSeconds(plan.break?.seconds ?? 0)],
  );
  // The step of the controller follows the registration, which is the first.
  const [now = 0, ...later] = steps.slice(index === 0 && !isControlling ? 0 : index + 1);
  return Math.max(0, now - elapsedSeconds) + later.reduce((sum, seconds) => sum + seconds, 0);
}

/** Progress of the nodes. During a break, nodes cannot know whether the registry still holds them. */
export function stateText(
  { break: broken }: PartPlan,
  { registered, back }: Pick<NodesMessageOf<'progress'>, 'registered' | 'back'>,
): string {
  if (back !== null) return `${back} back`;
  if (!broken) return `${registered} registered`;
  return broken.by === 'link' ? 'the link is cut' : 'the nodes are silent';
}
