import { expect, test } from 'vitest';
import { Helpers } from '../../engine/capabilities/helper/helpers';
import { here } from '../../engine/tools/namespace';
import { OtherMachine } from '../../testing/other-machine';
import { SimulatedClock } from '../../testing/simulated-clock';
import { pacingParameters } from './declaration';
import { measure } from './measure';
import { type MadeUpPackets, madeUpPacers } from './pacer.fixture';
import type { PacerMessage } from './pacer-program';
import { madeUpPacing } from './pacing-rows.fixture';
import type { End, OpenPath } from './path';
import { streamPlan } from './stream-plan';

type Happens = NonNullable<MadeUpPackets['happens']>;

const { sent, received } = madeUpPacing(460);

/** A row of 10 s from render-1 to evil-1 in which something happens to one end. */
function measured(happens?: Happens) {
  const clock = new SimulatedClock();
  const launch = madeUpPacers(clock, [{ spreadNs: 460, ...(happens && { happens }) }]);
  const helper = new Helpers(clock, () => undefined, launch);
  const end = (name: string): End => {
    const start: Helpers['start'] = (program, options) => helper.start(program, options);
    const machine = new OtherMachine(name, clock, 0, { start, died: [], missing: async () => null });
    const nowNs = clock.monotonicNs();
    for (let answer = 0; answer < 100; answer += 1)
      machine.clock.add({ askedNs: nowNs, heardNs: nowNs, repliedNs: nowNs, answeredNs: nowNs });
    return { interface: '', ...here, machine };
  };
  const path: OpenPath = {
    ...{ kind: 'machines', sender: end('render-1'), receiver: end('evil-1'), address: '192.0.2.7' },
    ...{ streamHosts: null, carriedBytes: () => 0, close: async () => undefined },
  };
  const parameters = pacingParameters.parse({ holdSeconds: 10 });
  const order = { parameters, stream: streamPlan(parameters), path, index: 0, onSecond: () => undefined };
  const context = {
    ...{ clock, helper, folder: '', noteEvent: () => undefined, signal: new AbortController().signal },
  };
  const plan = { method: 'timer', packetsPerWakeUp: 1, streams: null, repeat: null } as const;
  return clock.until(measure(context, order, plan));
}

test('ends on two machines that do what they are asked for are measured', async () => {
  expect(await measured()).toMatchObject({ sent: { slots: 80_000 }, received: { received: 80_000 } });
});

test.each<[string, Happens['to'], PacerMessage | null, string]>([
  [
    'a receiver that ends unasked',
    'receiver',
    received,
    'packet pacer (receiver) on evil-1 failed: it ended before it was asked to',
  ],
  [
    'a sender that ends early',
    'sender',
    sent && { ...sent, slots: 40, sent: 40 },
    'packet pacer (sender) on render-1 failed: it sent 40 packets in 40 slots, and was asked for 80000',
  ],
  [
    'a receiver that speaks for the sender',
    'receiver',
    sent,
    'packet pacer (receiver) on evil-1 failed: it said “sent” in the place of the other end',
  ],
  [
    'one that says it is another machine’s fault',
    'receiver',
    { type: 'failed', text: 'render-1 is broken' },
    'evil-1: render-1 is broken',
  ],
])('%s is named with its machine', async (_, to, message, words) => {
  const happens: Happens = { to, afterSeconds: 0.5, what: (one) => message && one.say(message) };
  await expect(measured(happens)).rejects.toMatchObject({ code: 'TOOL_FAILED', message: words });
});
