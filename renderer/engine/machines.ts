import { create } from 'zustand';
import { command } from './connection';
import { useConsole } from './console-store';

/** Names of the machines whose agents are connected. */
export const useMachines = create<{ names: readonly string[] }>(() => ({ names: [] }));

const lookEveryMs = 2000;

/** Asks for them until the function that it gives is called. */
export function watchMachines(): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function look(): Promise<void> {
    const isMeasuring = useConsole.getState().engine?.mode === 'experiment';
    const answer = isMeasuring ? null : await command({ name: 'listMachines' });
    if (isOver) return;
    if (answer && !answer.problem) useMachines.setState({ names: answer.result });
    timer = setTimeout(() => void look(), lookEveryMs);
  }
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
