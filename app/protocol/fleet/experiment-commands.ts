import { z } from 'zod';
import { shallowRecord } from '../nesting';
import { hostIdSchema } from './subjects';

/** An experiment has some tens of them. */
const longestParameters = 20_000;

/** Which experiment runs, and with what. Its own schema for other machines reads the parameters, at the agent. */
export const experimentShape = {
  experiment: z.string().regex(/^[a-z0-9-]{1,40}$/, 'Expected the id of an experiment'),
  parameters: shallowRecord.refine(
    (value) => JSON.stringify(value).length <= longestParameters,
    `Expected no more than ${longestParameters} characters`,
  ),
};

export const runIdShape = { runId: hostIdSchema };
