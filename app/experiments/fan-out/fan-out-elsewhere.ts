import { z } from 'zod';
import {
  momentText,
  portSchema,
  shortText,
  unicastAddress,
} from '../../engine/capabilities/helper/elsewhere-fields';
import type { HelperElsewhere } from '../../engine/capabilities/helper/helper-elsewhere';
import { here } from '../../engine/tools/namespace';
import { mostSubscribers } from './declaration';
import {
  type FanOutRole,
  fanOutProgram,
  findFanOut,
  howToGetFanOut,
  inspectFanOut,
  mayNotCount,
} from './fan-out-program';

/** The programs of fan-out as an agent starts them for a console. Each checks the sizes that it is given. */

const count = z.int().nonnegative().max(1e9);
const dayNs = 86_400e9;
const domain = z.int().min(0).max(232);
const group = { group: z.ipv4(), groupPort: portSchema };

const endpoint = {
  domain,
  ...{ topic: shortText, run: shortText, address: unicastAddress },
  ...{ isMulticast: z.boolean(), isReliable: z.boolean(), acknowledges: z.boolean(), keepMs: count },
  ...group,
  ...{ sampleBytes: count, batchBytes: count, datagramBytes: count },
  ...{ sendBufferBytes: count, receiveBufferBytes: count },
  subscribers: z.int().min(1).max(mostSubscribers),
  isLatency: z.boolean(),
};

const begin = z.strictObject({
  type: z.literal('begin'),
  startNs: momentText,
  durationNs: z.int().nonnegative().max(dayNs),
});
const finish = z.strictObject({
  type: z.literal('finish'),
  ...{ samples: z.int().nonnegative().optional(), silenceMs: count.optional(), restMs: count.optional() },
});

const commands: Record<FanOutRole, HelperElsewhere['commands']> = {
  publisher: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('publish'), ...endpoint }),
    begin,
    finish,
  ]),
  subscribers: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('subscribe'),
      ...endpoint,
      first: z.int().min(0).max(mostSubscribers),
      count: z.int().min(1).max(mostSubscribers),
    }),
    begin,
    finish,
  ]),
  counter: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('count'),
      interface: z.string().regex(/^(?!-)[^\s/:]{1,15}$/, 'Expected the name of a network interface'),
      domain,
      ...group,
      publisher: shortText,
    }),
    begin,
    finish,
  ]),
  inspector: z.strictObject({ type: z.literal('inspect') }),
};

function elsewhere(role: FanOutRole): HelperElsewhere {
  return {
    program: () => fanOutProgram(role, here),
    commands: commands[role],
    missing: async () => {
      if (!findFanOut()) return `The DDS fan-out was not found. ${howToGetFanOut}`;
      const { mayUseRawFrames } = await inspectFanOut();
      return role === 'counter' && !mayUseRawFrames ? mayNotCount() : null;
    },
  };
}

export const fanOutElsewhere: readonly HelperElsewhere[] = [
  elsewhere('publisher'),
  elsewhere('subscribers'),
  elsewhere('counter'),
  elsewhere('inspector'),
];
