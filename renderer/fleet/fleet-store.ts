import { create } from 'zustand';
import {
  type FleetView,
  type MachineFacts,
  type MachineLine,
  type MachineState,
  type MadeInvitation,
  type Moving,
  nowOf,
} from '../../app/protocol/fleet/fleet-view';
import { command } from '../engine/connection';
import type { MachineFilter } from './machine-filter';
import { MachineHistory } from './machine-history';

export type ServerView = Pick<FleetView, 'server' | 'problem' | 'otherVersions'>;

interface FleetState {
  /** Null until the engine has answered. */
  view: ServerView | null;
  /** The same array until a line changes; figures move each second. */
  lines: readonly MachineLine[];
  /** Of the lines, by the ids of their machines; the same until there are other machines. */
  places: ReadonlyMap<string, number>;
  moving: Moving;
  filter: MachineFilter;
  /** As typed. */
  sought: string;
  chosenId: string | null;
  /** Of the chosen machine; null: it is not heard, or the engine has not answered yet. */
  facts: MachineFacts | null;
  /** Of the machine that is to be invited, as typed. */
  name: string;
  invitation: { name: string; made: MadeInvitation } | null;
  /** Why the last invitation was refused; `isInvited`: it can be made again. */
  refusal: { words: string; isInvited: boolean } | null;
}

export const history = new MachineHistory();

export const useFleet = create<FleetState>(() => ({
  ...{ view: null, lines: [], places: new Map(), moving: [] },
  filter: 'all',
  sought: '',
  chosenId: null,
  facts: null,
  name: '',
  invitation: null,
  refusal: null,
}));

/** Of a machine that is not heard any more, at this place of the lines; null of any other. */
export function useSilentSeconds(state: MachineState, at: number): number | null {
  return useFleet(({ moving }) => (state === 'silent' ? nowOf(moving, at).silentSeconds : null));
}

/** An agent says once a second what it does. */
const lookEveryMs = 1000;
/** What a machine is changes with its line, and else seldom. */
const looksOfFacts = 5;

/** Looks at the fleet until the function that it gives is called. */
export function watchFleet(): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;
  async function look(): Promise<void> {
    const answer = await command({ name: 'viewFleet', known: revision });
    if (isOver) return;
    const before = chosenLine();
    if (!answer.problem) take(answer.result);
    if (looks++ % looksOfFacts === 0 || chosenLine() !== before) await readChosen();
    if (!isOver) timer = setTimeout(() => void look(), lookEveryMs);
  }
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Of the lines that this window has. */
let revision = 0;

function take({ isWhole, changed, moving, ...news }: FleetView): void {
  const before = useFleet.getState();
  const lines = isWhole ? changed.map(([, line]) => line) : withChanged(before.lines, changed);
  const places = isWhole ? new Map(lines.map(({ id }, at) => [id, at])) : before.places;
  revision = news.revision;
  history.add(places, moving);
  const { server, problem, otherVersions } = news;
  const isSame =
    before.view?.server === server &&
    before.view.problem === problem &&
    before.view.otherVersions === otherVersions;
  useFleet.setState({ lines, places, moving, ...(!isSame && { view: { server, problem, otherVersions } }) });
}

function withChanged(lines: readonly MachineLine[], changed: FleetView['changed']): readonly MachineLine[] {
  if (changed.length === 0) return lines;
  const next = [...lines];
  for (const [at, line] of changed) next[at] = line;
  return next;
}

function chosenLine(): MachineLine | undefined {
  const state = useFleet.getState();
  return state.lines[placeOfChosen(state)];
}

/** In the lines; -1: none is chosen, or it is not in the fleet any more. */
export function placeOfChosen({ places, chosenId }: FleetState): number {
  return (chosenId === null ? undefined : places.get(chosenId)) ?? -1;
}

export function chooseMachine(id: string): void {
  if (useFleet.getState().chosenId === id) return;
  useFleet.setState({ chosenId: id, facts: null });
  void readChosen();
}

async function readChosen(): Promise<void> {
  const id = useFleet.getState().chosenId;
  if (id === null) return;
  const { problem, result } = await command({ name: 'readMachine', id });
  if (!problem && useFleet.getState().chosenId === id) useFleet.setState({ facts: result });
}
