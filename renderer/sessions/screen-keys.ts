import { useLayoutEffect, useRef } from 'react';

export type ScreenKeys = Record<string, ((event: KeyboardEvent) => void) | false | undefined>;

const typedInto = 'input:not([type="radio"]), select, textarea';

/**
 * Keys of this screen, before those of the whole window: E exports the run that is shown, and not the newest one. By the
 * lower-case name of the key; an open dialog and fields to type into keep all of theirs.
 */
export function useScreenKeys(keys: ScreenKeys): void {
  const newest = useRef(keys);
  newest.current = keys;
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (document.querySelector('dialog[open]')) return;
      if (event.target instanceof Element && event.target.closest(typedInto)) return;
      const action = newest.current[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action(event);
    }
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}
