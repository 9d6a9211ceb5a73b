import { WhitelineError } from '../../protocol/errors';
import { parseSource, type SourceSettings } from '../../protocol/source-spec';
import { type EndPlaces, type MachineName, receiversOf, thisMachine } from '../../protocol/stream-parameters';
import type { NativeHost } from '../capabilities/native-host';
import { refuseNamesake } from '../machines/namesake';
import { streamsOverLoopback } from '../sessions/environment';
import { type ChosenSource, chooseSource } from '../streams/sources/source-choice';
import type { RestartOptions } from '../streams/stream-hosts';
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

/** Has the stream hosts run on these machines. @throws WhitelineError if one of them cannot */
export async function moveEnds(
  set: Pick<StreamSet, 'restart'>,
  places: EndPlaces,
  options?: RestartOptions,
): Promise<void> {
  if (!isElsewhere(places)) return;
  refuseNamesake('receiveOn', receiversOf(places));
  const ends = { sendOn: places.sendOn, receiveOn: receiversOf(places) };
  const { transportProblem } = await set.restart(ends, options);
  if (transportProblem) throw new WhitelineError(transportProblem);
}

/** Has them run here again; streams and sources are gone. */
export async function returnEnds(set: Pick<StreamSet, 'restart'>, places: EndPlaces): Promise<void> {
  if (isElsewhere(places)) await set.restart();
}

/** An end of the streams is on another machine. */
export function isElsewhere(places: EndPlaces): boolean {
  return [places.sendOn, ...receiversOf(places)].some((machine) => machine !== undefined);
}

/** A stream has its two ends on two machines. */
export function areApart(places: EndPlaces): boolean {
  return receiversOf(places).some((machine) => machine !== places.sendOn);
}

/**
 * What is known about a source before a run; null: nothing, such as for a movie of another machine, which its agent inspects during the
 * run.
 */
export async function chosenBefore(
  settings: SourceSettings,
  { sendOn }: EndPlaces,
  host: NativeHost,
): Promise<ChosenSource | null> {
  const isThere = sendOn !== undefined && parseSource(settings.source).kind === 'movie';
  return isThere ? null : chooseSource(settings, host);
}

/** Facts about a source for the run's environment. */
export function sourceFacts(chosen: ChosenSource | null, source: string, { sendOn }: EndPlaces): object {
  return chosen?.environment ?? { kind: 'movie', name: source, machine: sendOn };
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
