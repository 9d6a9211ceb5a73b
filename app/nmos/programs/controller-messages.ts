import { z } from 'zod';
import { failedMessage, standstill, standstillsCommand, standstillsMessage } from './messages';

/** What the engine and the process of a controller say to each other, as helpers: docs/helpers.md. */

const count = z.int().nonnegative();
const number = z.number().nonnegative();
const time = number.nullable();
const why = z.string().nullable();
const registry = { query: z.string(), version: z.enum(['v1.2', 'v1.3']), limitSeconds: number };
/** Of the load. */
const load = { run: z.string(), nodes: count };

export const controllerCommands = z.discriminatedUnion('type', [
  z.object({ type: z.literal('fill'), ...registry, ...load, by: z.enum(['pages', 'subscriptions']) }),
  z.object({
    ...{ type: z.literal('change'), ...registry, ...load, crosspoints: count },
    /** URL of the load's Connection API. */
    controls: z.string(),
    ...{ by: z.enum(['single', 'bulk']), atOnce: z.int().positive(), offset: count },
  }),
  standstillsCommand,
]);

/** As `FillFigures`. */
const fillFigures = z.object({
  ...{ senders: count, receivers: count, ownSenders: count, ownReceivers: count },
  ...{ seconds: number, messages: count, bytes: count, losses: count, leftOut: count, leftOutFirst: why },
});

/** As `ChangeFigures`. */
const changeFigures = z.object({
  ...{ crosspoints: count, failed: count, firstProblem: why },
  ...{ seconds: time, p50Ms: time, p99Ms: time, maxMs: time, shownSeconds: time },
});

/** `why`: it could not be done; figures are null then. */
export const controllerMessages = z.discriminatedUnion('type', [
  z.object({ type: z.literal('filled'), figures: fillFigures.nullable(), why, ...standstill }),
  z.object({ type: z.literal('changed'), figures: changeFigures.nullable(), why, ...standstill }),
  standstillsMessage,
  failedMessage,
]);

export type ControllerCommand = z.infer<typeof controllerCommands>;
export type ControllerMessage = z.infer<typeof controllerMessages>;
