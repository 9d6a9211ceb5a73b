import { useLayoutEffect, useRef } from 'react';

export type ScreenKeys = Record<string, ((event: KeyboardEvent) => void) | false | undefined>;

const typedInto = 'input:not([type="radio"]), select, textarea';

/**
 * Keys of this screen, before those of the whole window: E exports the run that is shown, and not the newest one. By the
 * lower-case name of the key; an open dialog and fields to type into keep all of theirs. A function says what they are when one is
 * pressed: where the focus is then, no drawing knows.
 */
export function useScreenKeys(keys: ScreenKeys | (() => ScreenKeys)): void {
  const newest = useRef(keys);
  newest.current = keys;
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (document.querySelector('dialog[open]')) return;
      if (event.target instanceof Element && event.target.closest(typedInto)) return;
      const known = typeof newest.current === 'function' ? newest.current() : newest.current;
      const action = known[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action(event);
    }
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}
