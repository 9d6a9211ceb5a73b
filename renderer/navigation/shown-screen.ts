import { create } from 'zustand';
import type { texts } from '../texts';

export type ScreenId = keyof typeof texts.screens;

export const useScreen = create<{ shown: ScreenId }>(() => ({ shown: 'streams' }));

export function showScreen(shown: ScreenId): void {
  useScreen.setState({ shown });
}
