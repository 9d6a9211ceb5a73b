import { create } from 'zustand';
import type { Problem } from '../../app/protocol/errors';
import { perform } from '../engine/actions';
import { command } from '../engine/connection';
import { timeOfDay, timeZone } from '../format';
import { texts } from '../texts';

/** What was marked or noted last, in words. */
export const useMarking = create<{ said: string }>(() => ({ said: '' }));

function now(): string {
  return `${timeOfDay(Date.now())} ${timeZone}`;
}

/** Marks this moment of the run; the engine numbers it. */
export async function setMarker(): Promise<void> {
  const said = texts.marking.markerSet(now());
  if (await perform({ name: 'addNote', kind: 'marker', text: '' })) useMarking.setState({ said });
}

/** What is wrong with it; null once it is in the run's folder. */
export async function saveNote(text: string): Promise<Problem | null> {
  const problem = await command({ name: 'addNote', kind: 'note', text });
  if (!problem) useMarking.setState({ said: texts.marking.noteSaved(now()) });
  return problem;
}
