import { z } from 'zod';
import { shortText, webUrl } from '../../engine/capabilities/helper/elsewhere-fields';
import type { HelperElsewhere } from '../../engine/capabilities/helper/helper-elsewhere';
import { here } from '../../engine/tools/namespace';
import { standstillsCommand } from '../../nmos/programs/messages';
import { nodesProgram, programsMissing } from './programs';

/** The simulated nodes as an agent starts them for a console: they listen at no address there, and count no resources. */

const mostNodes = 20_000;
const mostRegistries = 2;
const mostAddresses = 64;
const mostMachines = 16;
const seconds = z.number().nonnegative().max(86_400);
const version = z.enum(['v1.2', 'v1.3']);

const commands = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('find'),
    registries: z.array(z.array(webUrl).min(1).max(mostAddresses)).min(1).max(mostRegistries),
  }),
  z.strictObject({
    type: z.literal('begin'),
    ...{ run: shortText, registries: z.array(webUrl).min(1).max(mostRegistries), version },
    nodes: z.int().nonnegative().max(mostNodes),
    share: z.strictObject({
      first: z
        .int()
        .min(0)
        .max(mostMachines - 1),
      every: z.int().min(1).max(mostMachines),
    }),
    connections: z.union([z.literal('per-node'), z.int().min(1).max(1000)]),
    ...{ rampSeconds: seconds, heartbeatSeconds: seconds, expirySeconds: seconds },
    ...{ httpTimeoutSeconds: seconds, retrySeconds: seconds },
    controlHost: z.null(),
  }),
  z.strictObject({ type: z.literal('silence'), isOn: z.boolean() }),
  z.strictObject({ type: z.literal('part') }),
  z.strictObject({ type: z.literal('recover'), gone: webUrl.nullable() }),
  z.strictObject({ type: z.literal('report'), waits: z.boolean() }),
  z.strictObject({ type: z.literal('remove') }),
  standstillsCommand,
]);

export const nodesElsewhere: HelperElsewhere = {
  program: () => nodesProgram(here),
  commands,
  missing: async () => programsMissing(),
};
