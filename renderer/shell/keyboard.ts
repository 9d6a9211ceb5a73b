import { useLayoutEffect, useRef } from 'react';
import type { ChartBoard } from '../charts/chart-board';
import { addStream, removeStream, startRamp, stop, toggleDisplay, toggleWhiteLine } from '../engine/actions';
import { shell } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { useHindrances } from '../engine/hindrances';
import { screens } from '../navigation/screens';
import { showScreen, useScreen } from '../navigation/shown-screen';
import { scaleByKey } from '../settings/window-scale';
import { openView } from '../source-view/open-view';
import { setMarker } from '../streams/marking';
import { openRename } from '../streams/open-rename';
import { openTimeline } from '../timeline/open-timeline';
import { closeAlerts, toggleAlerts } from './alerts-shown';
import { openSheet } from './open-sheet';

/** A field to type into, unlike those that only Space has a meaning for. */
function isTyped(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLTextAreaElement) return true;
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

/** A live run without a stream, or a clip that is being made, measures nothing: it ends at once. */
function stopOrAsk(): void {
  const { engine } = useConsole.getState();
  const isMeasuring = engine?.mode === 'experiment' || (engine?.streams.length ?? 0) > 0;
  if (isMeasuring) openSheet('stop');
  else stop();
}

/**
 * One key for each action, wherever the focus is; streams are added and removed where they are seen. From the first
 * picture on, and so a layout effect, as wherever keys are listened to.
 */
export function useKeyboard(board: ChartBoard): void {
  const hindrancesNow = useHindrances();
  // What is drawn counts, not what was drawn when an effect ran last.
  const newest = useRef(hindrancesNow);
  newest.current = hindrancesNow;
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const hindrance = newest.current;
      if (scaleByKey(event)) event.preventDefault();
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
      if (event.key === 'Escape' && isTyped(event.target)) {
        event.target.blur();
        return;
      }
      if (takesKey(event.target, event.key)) return;
      const showsStreams = useScreen.getState().shown === 'streams';
      const actions: Record<string, (() => void) | false> = {
        a: showsStreams && hindrance.addStream === null && addStream,
        r: showsStreams && hindrance.removeStream === null && (() => removeStream()),
        ' ': showsStreams && hindrance.startRamp === null && (() => void startRamp()),
        escape: () => {
          if (!closeAlerts() && hindrance.stop === null) stopOrAsk();
        },
        f: toggleWhiteLine,
        d: hindrance.display === null && toggleDisplay,
        v: hindrance.viewSource === null && (() => openView()),
        m: showsStreams && hindrance.mark === null && (() => void setMarker()),
        n: showsStreams && hindrance.note === null && (() => openSheet('note')),
        f2: showsStreams && hindrance.renameStream === null && (() => openRename()),
        e: hindrance.export === null && (() => openSheet('export')),
        w: toggleAlerts,
        l: showsStreams && (() => openTimeline()),
        p: () => board.toggleFreeze(),
        t: () => void shell.toggleTheme(),
        '?': () => openSheet('shortcuts'),
      };
      const screen = screens[Number(event.key) - 1];
      const action = screen ? () => showScreen(screen.id) : actions[event.key.toLowerCase()];
      if (action === undefined) return;
      event.preventDefault();
      if (action) action();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [board]);
}
