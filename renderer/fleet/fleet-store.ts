import { create } from 'zustand';
import type { FleetView, MachineFacts, MadeInvitation } from '../../app/protocol/fleet/fleet-view';
import { command } from '../engine/connection';
import type { MachineFilter } from './machine-filter';
import { MachineHistory } from './machine-history';

interface FleetState {
  /** Null until the engine has answered. */
  view: FleetView | null;
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
  view: null,
  filter: 'all',
  sought: '',
  chosenId: null,
  facts: null,
  name: '',
  invitation: null,
  refusal: null,
}));

/** An agent says once a second what it does. */
const lookEveryMs = 1000;

/** Looks at the fleet until the function that it gives is called. */
export function watchFleet(): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function look(): Promise<void> {
    const answer = await command({ name: 'viewFleet' });
    if (isOver) return;
    if (!answer.problem) {
      history.add(answer.result);
      useFleet.setState({ view: answer.result });
    }
    await readChosen();
    if (!isOver) timer = setTimeout(() => void look(), lookEveryMs);
  }
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
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
