import { badInput, WhitelineError } from '../../protocol/errors';
import { parseSource } from '../../protocol/source-spec';
import type { EndPlaces } from '../../protocol/stream-parameters';
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
    await moveEnds(set, { sendOn: places.sendOn, receiveOn: places.receiveOn });
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
  const { transportProblem } = await set.restart(places);
  if (transportProblem) throw new WhitelineError(transportProblem);
}

/** Has them run here again; streams and sources are gone. */
export async function returnEnds(set: Pick<StreamSet, 'restart'>, places: EndPlaces): Promise<void> {
  if (isElsewhere(places)) await set.restart();
}

function isElsewhere({ sendOn, receiveOn }: EndPlaces): boolean {
  return sendOn !== undefined || receiveOn !== undefined;
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
  return `from ${machineText(places.sendOn)} to ${machineText(places.receiveOn)}`;
}

/** The same for its environment. */
export function topologyOf(places: EndPlaces): string {
  const { sendOn, receiveOn } = places;
  if (!isElsewhere(places)) return streamsOverLoopback;
  return sendOn === receiveOn
    ? `sender and receiver on ${machineText(sendOn)}`
    : `sender on ${machineText(sendOn)}, receiver on ${machineText(receiveOn)}`;
}

function machineText(machine: string | undefined): string {
  return machine ?? 'this machine';
}
