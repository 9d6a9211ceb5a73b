import { useEffect } from 'react';

const focusable = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled)';

/** Of an element that has the focus, up to the part of the window that stays: each with its place among its siblings. */
type Way = readonly { element: Element; place: number }[];

/**
 * What goes, or is disabled, with the focus on it leaves the focus to what stands in its place: to the same control of the next one
 * of a list, or to the first control around it. With the screen or a dialog all of that goes: then nothing has the focus.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let way: Way = [];
    const note = ({ target }: FocusEvent): void => {
      way = wayOf(target);
    };
    const leave = (): void => {
      // What goes with the focus on it is gone by then; what is still there was left on purpose.
      queueMicrotask(() => {
        const [left] = way;
        if (left && document.activeElement === document.body && !isGone(left.element)) way = [];
      });
    };
    const look = (): void => {
      const [lost] = way;
      if (document.activeElement !== document.body || !lost || !isGone(lost.element)) return;
      const home = homeOf(way);
      way = [];
      home?.focus();
    };
    const changes = new MutationObserver(look);
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', leave);
    changes.observe(document.body, {
      ...{ childList: true, subtree: true, attributes: true },
      attributeFilter: ['disabled'],
    });
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', leave);
      changes.disconnect();
    };
  }, []);
}

function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled');
}

function wayOf(target: EventTarget | null): Way {
  const way: { element: Element; place: number }[] = [];
  for (let element = target; element instanceof Element; element = element.parentElement) {
    if (element.tagName === 'DIALOG') return [];
    // The screens come and go in the first child of main.
    if (element.matches('main > :first-child, header, nav, footer')) return way;
    way.push({ element, place: [...(element.parentElement?.children ?? [])].indexOf(element) });
  }
  return way;
}

function homeOf(way: Way): HTMLElement | null {
  const at = way.findIndex(({ element }) => element.isConnected && !element.matches(':disabled'));
  const [lost, below] = [way[0], way[at - 1]];
  if (!lost || !below) return null;
  for (const { element } of way.slice(at)) {
    const { children } = element;
    const next = children[Math.min(below.place, children.length - 1)];
    const same = lost.element.getAttribute('data-part');
    const found =
      (same && next?.querySelector<HTMLElement>(`[data-part="${same}"]:not(:disabled)`)) ||
      element.querySelector<HTMLElement>(focusable);
    if (found) return found;
  }
  return null;
}
