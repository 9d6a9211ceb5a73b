import { create } from 'zustand';
import type { Problem } from '../../app/protocol/errors';
import { perform } from '../engine/actions';
import { command, engineClock } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { timeOfDay, timeZone } from '../format';
import { texts } from '../texts';

/** What was marked or noted last, in words, and the run that it belongs to. */
export const useMarking = create<{ said: string; run: string | null }>(() => ({ said: '', run: null }));

/** What was marked or noted in the newest run; of runs before it nothing is said any more. */
export function saidOf({ said, run }: { said: string; run: string | null }, newest: string | null): string {
  return run === newest ? said : '';
}

function newestRun(): string | null {
  return useConsole.getState().engine?.run?.id ?? null;
}

function now(): string {
  return `${timeOfDay(Date.now())} ${timeZone}`;
}

/** Marks this moment of the run; the engine numbers it. */
export async function setMarker(): Promise<void> {
  const marked = { said: texts.marking.markerSet(now()), run: newestRun() };
  const done = await perform({ name: 'addNote', kind: 'marker', text: '', atMs: engineClock.wallMs });
  if (done !== undefined) useMarking.setState(marked);
}

/** What is wrong with it; null once it is in the run's folder. */
export async function saveNote(text: string): Promise<Problem | null> {
  const run = newestRun();
  const { problem } = await command({ name: 'addNote', kind: 'note', text, atMs: engineClock.wallMs });
  if (!problem) useMarking.setState({ said: texts.marking.noteSaved(now()), run });
  return problem;
}
