import { useEffect } from 'react';
import type { ChartBoard } from '../charts/chart-board';
import {
  addStream,
  removeStream,
  startRamp,
  stop,
  toggleWhiteLine,
  usePossibilities,
} from '../engine/actions';
import { shell } from '../engine/connection';
import { openView } from '../source-view/open-view';
import { openSheet } from './sheets';

/** A field to type into, unlike those that only Space has a meaning for. */
function isTyped(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox';
}

/** Elements that have a use of their own for a key. */
function takesKey(target: EventTarget | null, key: string): boolean {
  // All of an open dialog's, even with the focus on nothing: its Esc closes it and stops no run.
  if (document.querySelector('dialog[open]')) return true;
  if (!(target instanceof Element)) return false;
  if (isTyped(target)) return true;
  if (target.closest('input')) return key === ' ';
  return key === ' ' && target.closest('button') !== null;
}

/** One key for each action, wherever the focus is. */
export function useKeyboard(board: ChartBoard): void {
  const possible = usePossibilities();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
      if (event.key === 'Escape' && isTyped(event.target)) {
        event.target.blur();
        return;
      }
      if (takesKey(event.target, event.key)) return;
      const actions: Record<string, (() => void) | false> = {
        a: possible.addStream && addStream,
        r: possible.removeStream && (() => removeStream()),
        ' ': possible.startRamp && startRamp,
        escape: possible.stop && stop,
        f: toggleWhiteLine,
        v: possible.viewSource && (() => openView()),
        e: possible.export && (() => openSheet('export')),
        p: () => board.toggleFreeze(),
        t: () => void shell.toggleTheme(),
        '?': () => openSheet('shortcuts'),
      };
      const action = actions[event.key.toLowerCase()];
      if (action === undefined) return;
      event.preventDefault();
      if (action) action();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [board, possible]);
}
