import { isInBrowser } from '../engine/connection';
import { scaleAfter, usualPercent } from './scale-steps';
import { changeSettings, useMachineSettings } from './settings-store';

/** Draws the window at the scale that is set, now and after each change. A browser has a zoom of its own. */
export function followWindowScale(): void {
  useMachineSettings.subscribe(({ view }) => {
    const percent = view?.settings.windowScalePercent ?? usualPercent;
    document.documentElement.style.setProperty('--scale', String(percent / 100));
  });
}

/** Whether the key was one of the scale's. */
export function scaleByKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const now = useMachineSettings.getState().view?.settings.windowScalePercent;
  if (isInBrowser || now === undefined || altKey || !(ctrlKey || metaKey)) return false;
  const windowScalePercent = scaleAfter(key, now);
  if (windowScalePercent === null) return false;
  if (windowScalePercent !== now) void changeSettings({ windowScalePercent });
  return true;
}
