import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { keptAs } from '../engine/kept-state';
import { texts } from '../texts';

export type ScreenId = keyof typeof texts.screens;

const keptSchema = z.object({
  shown: z.custom<ScreenId>((value) => typeof value === 'string' && Object.hasOwn(texts.screens, value)),
});

/** Outlives the window and the app, with what was typed on the screen. */
export const useScreen = create<{ shown: ScreenId }>()(
  persist((): { shown: ScreenId } => ({ shown: 'streams' }), keptAs('whiteline-screen', keptSchema)),
);

export function showScreen(shown: ScreenId): void {
  useScreen.setState({ shown });
}
