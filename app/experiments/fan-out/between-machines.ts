import { hostname } from 'node:os';
import type { ContextWith } from '../../engine/experiment/experiment';
import { knownClock } from '../../engine/machines/known-clock';
import { shareLoopback } from '../../engine/machines/machine-side';
import type { MachineField } from '../../engine/machines/no-machine';
import { here } from '../../engine/tools/namespace';
import { toolFailed } from '../../engine/tools/tool-problem';
import { badInput, WhitelineError } from '../../protocol/errors';
import { type MachineName, receiversOf } from '../../protocol/stream-parameters';
import { type Card, cardsOfOneNetwork, placeText } from './cards';
import type { FanOutParameters } from './declaration';
import type { EndMachine } from './end-machine';
import { type FanOutMessageOf, fanOutName, fanOutProgram } from './fan-out-program';
import type { End, OpenPath } from './path';
import { checkRoom, neededRoom } from './room';

export type MachinesContext = Pick<
  ContextWith<'helper' | 'machines'>,
  'clock' | 'helper' | 'machines' | 'noteEvent' | 'signal'
>;

const inspectLimitMs = 10_000;
/** Of one machine. */
const mostCards = 256;

type Taken = Omit<EndMachine, 'cores'> & { field: MachineField };

/** What a machine is, as its own fan-out says. */
interface Inspected extends FanOutMessageOf<'inspected'> {
  machine: EndMachine;
  /** For people and for the choice of a card. */
  name: string;
  cards: readonly Card[];
}

/**
 * Takes the machines of a run, and finds out whether each has what it takes, and by which cards they reach each other.
 * @throws WhitelineError naming the machine that is not there, or what one lacks
 */
export async function openMachines(
  parameters: FanOutParameters,
  context: MachinesContext,
): Promise<OpenPath> {
  const taken = [await take('sendOn', parameters.sendOn, context)];
  for (const name of receiversOf(parameters)) taken.push(await take('receiveOn', name, context));
  refuseTwins(taken);
  // One after the other: the first in order that lacks something is named.
  const inspected: Inspected[] = [];
  for (const [index, machine] of taken.entries()) {
    await requireProgram(machine, index === 0);
    inspected.push(await inspect(machine, context));
    if (machine.remote) await knownClock(machine.remote, context.clock);
  }
  const [publisher, ...subscribers] = inspected;
  if (!publisher) throw new Error('There is a publisher');
  for (const [place, { name, ...room }] of subscribers.entries())
    checkRoom(neededRoom(parameters, place), room, name);
  const cards = cardsOfOneNetwork(publisher, subscribers);
  const [publishing, ...subscribing] = inspected.map((one, index): End => {
    const card = cards[index];
    if (!card) throw new Error('Each machine has a card');
    const text = `${one.name}: Fast DDS ${one.version}, ${placeText(card)}`;
    context.noteEvent('machine-prepared', text, { machine: one.name, card });
    return { ...here, interface: card.name, address: card.address, machine: one.machine };
  });
  if (!publishing) throw new Error('There is a publisher');
  const speedMbps = cards[0]?.speedMbps ?? 0;
  return {
    ...{ kind: 'machines', publisher: publishing, subscribers: subscribing },
    linkMbps: speedMbps > 0 ? speedMbps : null,
    receivedBytes: () => null,
    close: async () => undefined,
  };
}

/** The first machine that does not answer any more; null: all do. */
export async function goneMachine({ publisher, subscribers }: OpenPath): Promise<string | null> {
  const asked = [publisher, ...subscribers].map(async ({ machine }) => {
    const isThere = machine?.remote?.helper.missing(inspector) ?? Promise.resolve(null);
    return isThere.then(
      () => null,
      () => machine?.name ?? null,
    );
  });
  return (await Promise.all(asked)).find((name) => name !== null) ?? null;
}

const inspector = fanOutProgram('inspector', here);

async function take(
  field: MachineField,
  name: MachineName,
  { helper, machines }: MachinesContext,
): Promise<Taken> {
  if (name === undefined) return { field, name: hostname(), helper, remote: undefined };
  const remote = await machines.take(field, name);
  return { field, name, helper: remote.helper, remote };
}

/** Samples between two agents of one machine would not take its card. @throws WhitelineError BAD_INPUT */
function refuseTwins(machines: readonly Taken[]): void {
  for (const [index, { field, name, remote }] of machines.entries()) {
    const twin = machines.slice(0, index).find((other) => shareLoopback(other.remote, remote));
    if (!twin) continue;
    const value = twin.name === name ? `${name} twice` : `${twin.name} and ${name}, which are one`;
    throw badInput(field, 'machines of which each is another one', value, 'Leave one of them out');
  }
}

/** @throws WhitelineError TOOL_MISSING with the machine’s name and what to do */
async function requireProgram({ field, name, remote }: Taken, isPublisher: boolean): Promise<void> {
  const role = isPublisher ? 'counter' : 'subscribers';
  const missing = await remote?.helper.missing(fanOutProgram(role, here));
  if (!missing) return;
  throw new WhitelineError({ code: 'TOOL_MISSING', message: `${name}: ${missing}`, field, value: name });
}

/** @throws WhitelineError with the machine’s name */
async function inspect(
  { field: _, ...machine }: Taken,
  { clock, signal }: MachinesContext,
): Promise<Inspected> {
  const { name } = machine;
  const { helper } = await machine.helper.start(inspector, { signal });
  const stopWaiting = clock.after(inspectLimitMs, () => void helper.stop());
  const cards: Card[] = [];
  try {
    await helper.send({ type: 'inspect' });
    for (let said = await helper.receive(); said; said = await helper.receive()) {
      if (said.type === 'card' && cards.length < mostCards) cards.push(said);
      else if (said.type === 'inspected')
        return { ...said, name, cards, machine: { ...machine, cores: said.cores } };
      else if (said.type === 'failed') throw toolFailed(`${fanOutName('inspector')} on ${name}`, said.text);
    }
  } finally {
    stopWaiting();
    await helper.stop();
  }
  throw toolFailed(
    `${fanOutName('inspector')} on ${name}`,
    `it did not say what the machine is within ${inspectLimitMs / 1000} s`,
  );
}
