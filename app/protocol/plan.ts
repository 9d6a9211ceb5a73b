import { z } from 'zod';
import { parsedBy } from './parsed-by';
import { visibleName } from './visible-name';

/** More in one plan than anybody watches over; a longer one is two plans. */
export const mostEntries = 200;
const mostRepeats = 100;

const named = (text: string): string => visibleName('name', text);

export const entryFields = {
  name: z
    .string()
    .min(1)
    .max(80)
    .superRefine(parsedBy(named))
    .optional()
    .describe('What this experiment is called in the summary and in the folder of its run'),
  repeat: z.int().min(1).max(mostRepeats).default(1).describe('How many runs of it, each in its own folder'),
};

export const planFields = {
  name: z
    .string()
    .min(1)
    .max(80)
    .superRefine(parsedBy(named))
    .describe('What the plan is called; the session’s folder carries it'),
  notes: z.string().max(10_000).optional().describe('What the plan is for, kept in the session'),
  thresholds: z
    .string()
    .min(1)
    .optional()
    .describe('Profile of thresholds: study, flawless, or the path of a YAML file'),
};

/** One experiment of a plan; its parameters are checked by the experiment's own schema. */
export const planEntrySchema = z.strictObject({
  experiment: z.string().min(1).describe('Which experiment; see whiteline list'),
  name: entryFields.name,
  parameters: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Parameters that differ from the experiment’s defaults'),
  repeat: entryFields.repeat,
});

export const experimentsField = 'Run one after the other, in this order';

/** A plan: what the console writes and `whiteline run plan.yaml` runs. */
export const planSchema = z.strictObject({
  ...planFields,
  experiments: z.array(planEntrySchema).min(1).max(mostEntries).describe(experimentsField),
});

/** A plan as it is run: defaults of its own filled in, parameters as they were written. */
export type Plan = z.output<typeof planSchema>;
export type PlanEntry = Plan['experiments'][number];
