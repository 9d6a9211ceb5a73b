import { hostname } from 'node:os';
import { badInput, WhitelineError } from '../../protocol/errors';
import { parseSource } from '../../protocol/source-spec';
import { type EndPlaces, type MachineName, receiversOf, thisMachine } from '../../protocol/stream-parameters';
import { streamsOverLoopback } from '../sessions/environment';
import type { StreamSet } from '../streams/stream-set';
import type { StreamsContext } from './experiment';

/** Measures with sender and receiver on the machines that are named; afterwards they run here again. */
export async function* onMachines<Row>(
  places: EndPlaces,
  { streams: { set } }: StreamsContext,
  rows: () => AsyncGenerator<Row>,
): AsyncGenerator<Row> {
  try {
    await moveEnds(set, places);
    yield* rows();
  } finally {
    if (isElsewhere(places)) {
      const closed = set.removeAll().finally(() => set.closeSource());
      await closed.finally(() => returnEnds(set, places));
    }
  }
}

/** Has the stream hosts run on these machines. @throws WhitelineError where one of them cannot */
export async function moveEnds(set: Pick<StreamSet, 'restart'>, places: EndPlaces): Promise<void> {
  if (!isElsewhere(places)) return;
  refuseNamesake(places);
  const { transportProblem } = await set.restart({ sendOn: places.sendOn, receiveOn: receiversOf(places) });
  if (transportProblem) throw new WhitelineError(transportProblem);
}

/** Machines of a row are told apart by their names. @throws WhitelineError BAD_INPUT */
function refuseNamesake(places: EndPlaces): void {
  const receivers = receiversOf(places);
  if (!receivers.includes(undefined) || !receivers.includes(hostname())) return;
  throw badInput(
    'receiveOn',
    'each machine once',
    `${thisMachine} and ${hostname()}, which is its name too`,
    'Leave one of them out, or invite that agent by another name',
  );
}

/** Has them run here again; streams and sources are gone. */
export async function returnEnds(set: Pick<StreamSet, 'restart'>, places: EndPlaces): Promise<void> {
  if (isElsewhere(places)) await set.restart();
}

function isElsewhere(places: EndPlaces): boolean {
  return [places.sendOn, ...receiversOf(places)].some((machine) => machine !== undefined);
}

/** A stream has its two ends on two machines. */
export function areApart(places: EndPlaces): boolean {
  return receiversOf(places).some((machine) => machine !== places.sendOn);
}

/** @throws WhitelineError BAD_INPUT: an agent plays no file */
export function checkPlaces({ sendOn }: EndPlaces, sources: readonly string[]): void {
  const file = sources.find((source) => parseSource(source).kind === 'movie');
  if (sendOn === undefined || file === undefined) return;
  throw badInput(
    'source',
    'white-line or noise where another machine sends',
    file,
    'Send movies from this machine',
  );
}

/** How pictures go, for the subject of a run: "over loopback", "from render-1 to this machine". */
export function wayText(places: EndPlaces): string {
  if (!isElsewhere(places)) return 'over loopback';
  return `from ${machineText(places.sendOn)} to ${receiversText(places)}`;
}

/** The same for its environment. */
export function topologyOf(places: EndPlaces): string {
  if (!isElsewhere(places)) return streamsOverLoopback;
  const sender = machineText(places.sendOn);
  if (!areApart(places)) return `sender and receiver on ${sender}`;
  const receivers = receiversOf(places).length === 1 ? 'receiver' : 'receivers';
  return `sender on ${sender}, ${receivers} on ${receiversText(places)}`;
}

/** "display-1", "display-1 and display-2 in turn" */
function receiversText(places: EndPlaces): string {
  const names = receiversOf(places).map(machineText);
  const [last = '', ...before] = [...names].reverse();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last} in turn`;
}

function machineText(machine: MachineName): string {
  return machine ?? thisMachine;
}
