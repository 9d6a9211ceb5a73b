import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { declarationOf } from '../../app/experiments/find';
import type { ExperimentOffer } from '../../app/protocol/console';
import { planSchema } from '../../app/protocol/plan';
import { keptAs } from '../engine/kept-state';
import { type FieldSpec, fieldSpecs } from '../forms/field-spec';
import { type FormValues, valuesOf } from '../forms/form-values';
import { emptyDraft, type PlanDraft } from './plan-draft';

/** What is set up: an experiment of its own, or a step of the plan. */
export type Chosen = { experiment: string } | { step: number };

interface ExperimentsState {
  /** Null: not chosen yet, so it is what runs, or the form. */
  view: 'set-up' | 'run' | null;
  /** Null: the first one of the list. */
  chosen: Chosen | null;
  /** By the experiment: its form, once something was typed. */
  forms: Readonly<Record<string, FormValues>>;
  /** By the experiment: the profile of thresholds of its next run, where it is not that of the settings. */
  profiles: Readonly<Record<string, string | null>>;
  draft: PlanDraft;
  /** The newest thing done to the plan, for screen readers. */
  spoken: string;
  /** What was refused last, until its first error has the focus: a form, or how often a step is run. */
  refused: Chosen | { runsOf: number } | null;
}

const valuesSchema = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]));

const keptSchema = z.object({
  chosen: z.union([z.object({ experiment: z.string() }), z.object({ step: z.number() })]).nullable(),
  forms: z.record(z.string(), valuesSchema),
  profiles: z.record(z.string(), z.string().nullable()),
  draft: z.object({
    name: z.string(),
    steps: z.array(
      z.object({
        ...{ key: z.number(), experiment: z.string(), name: z.string(), repeat: z.string() },
        values: valuesSchema,
      }),
    ),
    nextKey: z.number(),
    kept: planSchema.pick({ notes: true, thresholds: true }),
  }),
});

/** Outlives the screen, the window and the app, so that what was typed is there when the operator comes back to it. */
export const useExperiments = create<ExperimentsState>()(
  persist(
    (): ExperimentsState => ({
      view: null,
      chosen: null,
      forms: {},
      profiles: {},
      draft: emptyDraft,
      spoken: '',
      refused: null,
    }),
    keptAs('whiteline-experiments', keptSchema),
  ),
);

const fieldsByOffer = new WeakMap<ExperimentOffer, FieldSpec[]>();

/** The fields of an experiment's form. */
export function fieldsOf(offer: ExperimentOffer): FieldSpec[] {
  let fields = fieldsByOffer.get(offer);
  if (!fields) {
    fields = fieldSpecs(offer.parameters, declarationOf(offer.id).basic);
    fieldsByOffer.set(offer, fields);
  }
  return fields;
}

/** An experiment's form as it stands. */
export function formOf(offer: ExperimentOffer, forms: ExperimentsState['forms']): FormValues {
  return forms[offer.id] ?? valuesOf(fieldsOf(offer));
}

export function chooseProfile(experiment: string, profile: string | null): void {
  useExperiments.setState(({ profiles }) => ({ profiles: { ...profiles, [experiment]: profile } }));
}

export function choose(chosen: Chosen): void {
  useExperiments.setState({ chosen, view: 'set-up' });
}

/** Shows a form that was refused, with the focus on its first error. */
export function showErrors(chosen: Chosen, spoken: string): void {
  useExperiments.setState({ chosen, view: 'set-up', refused: chosen, spoken });
}

export function changeDraft(change: (draft: PlanDraft) => PlanDraft, spoken = ''): void {
  useExperiments.setState(({ draft }) => ({ draft: change(draft), spoken }));
}
