import { z } from 'zod';
import type { Problem } from '../../app/protocol/errors';
import { fieldProblems } from '../../app/protocol/field-problems';
import { entryFields, type Plan, type PlanEntry } from '../../app/protocol/plan';
import type { FormValues } from '../forms/form-values';

/** A step of the plan that is put together: an experiment, what it is called, and its form as it was filled in. */
export interface PlanStep {
  /** Stays the same while the step is moved. */
  key: number;
  experiment: string;
  name: string;
  values: FormValues;
  /** As typed. */
  repeat: string;
}

export interface PlanDraft {
  name: string;
  steps: readonly PlanStep[];
  nextKey: number;
  /** What a plan says besides; without thresholds those of the settings count. */
  kept: Pick<Plan, 'notes' | 'thresholds'>;
}

export const emptyDraft: PlanDraft = { name: '', steps: [], nextKey: 1, kept: {} };

export function withStep(
  draft: PlanDraft,
  experiment: string,
  values: FormValues,
  at = draft.steps.length,
): PlanDraft {
  const step: PlanStep = { key: draft.nextKey, experiment, name: '', values, repeat: '1' };
  const steps = [...draft.steps.slice(0, at), step, ...draft.steps.slice(at)];
  return { ...draft, steps, nextKey: draft.nextKey + 1 };
}

/** @param to where it stands afterwards */
export function withStepMoved(draft: PlanDraft, key: number, to: number): PlanDraft {
  const step = draft.steps.find((each) => each.key === key);
  if (!step) return draft;
  const others = draft.steps.filter((each) => each !== step);
  const at = Math.max(0, Math.min(others.length, to));
  return { ...draft, steps: [...others.slice(0, at), step, ...others.slice(at)] };
}

/** Moves a step before what stands at a place of the list as it is seen now; the step itself still stands in that list. */
export function withStepDropped(draft: PlanDraft, key: number, before: number): PlanDraft {
  const from = draft.steps.findIndex((step) => step.key === key);
  return withStepMoved(draft, key, from < before ? before - 1 : before);
}

export function withoutStep(draft: PlanDraft, key: number): PlanDraft {
  return { ...draft, steps: draft.steps.filter((step) => step.key !== key) };
}

export function withStepChanged(draft: PlanDraft, key: number, change: Partial<PlanStep>): PlanDraft {
  return { ...draft, steps: draft.steps.map((step) => (step.key === key ? { ...step, ...change } : step)) };
}

/** @param profile null: that of the settings */
export function withThresholds(draft: PlanDraft, profile: string | null): PlanDraft {
  const { thresholds: _, ...kept } = draft.kept;
  return { ...draft, kept: profile === null ? kept : { ...kept, thresholds: profile } };
}

/** How often a step is run; what is no such number is given to the engine as it stands, which says what is wrong. */
export function repeatOf({ repeat }: PlanStep): number | string {
  const text = repeat.trim();
  return text !== '' && Number.isInteger(Number(text)) ? Number(text) : text;
}

const repeatSchema = z.object({ repeat: entryFields.repeat });

/** What is wrong with how often a step is run. */
export function repeatProblem(step: PlanStep): Problem | null {
  return fieldProblems(repeatSchema, { repeat: repeatOf(step) })[0]?.problem ?? null;
}

/** The plan as the engine runs and writes it: each step with the parameters that differ from the defaults. */
export function planOf(
  { name, steps, kept }: PlanDraft,
  defaultName: string,
  parametersOf: (step: PlanStep) => Record<string, unknown>,
): Record<string, unknown> {
  return {
    ...{ name: name.trim() || defaultName, ...kept },
    experiments: steps.map((step) => {
      const repeat = repeatOf(step);
      return {
        experiment: step.experiment,
        ...(step.name.trim() !== '' && { name: step.name.trim() }),
        parameters: parametersOf(step),
        ...(repeat !== 1 && { repeat }),
      };
    }),
  };
}

/** A plan that was opened, to be changed. */
export function draftOf(
  { name, notes, thresholds, experiments }: Plan,
  valuesOf: (entry: PlanEntry) => FormValues,
): PlanDraft {
  const steps = experiments.map((entry, index) => ({
    ...{ key: index + 1, experiment: entry.experiment, name: entry.name ?? '' },
    values: valuesOf(entry),
    repeat: String(entry.repeat),
  }));
  const kept = { ...(notes !== undefined && { notes }), ...(thresholds !== undefined && { thresholds }) };
  return { name, steps, nextKey: steps.length + 1, kept };
}
