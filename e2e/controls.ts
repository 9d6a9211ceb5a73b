import type { Page } from '@playwright/test';
import { expect } from './app';

/** The page's list of what it offered and of what was used, kept by `watchControls`. */
interface Controls {
  offered: Set<string>;
  used: Set<string>;
}
type WatchedWindow = Window & { controls: Controls };

/**
 * Notes each button and each key that the page offers, and which of them were used, so that a test can ask for
 * those that were not. By the name that a screen reader says, numbers apart, and by where it stands: in the bars
 * around the screen, on which screen, or in a sheet over it.
 */
export async function watchControls(page: Page): Promise<void> {
  await page.evaluate(() => {
    const controls: Controls = { offered: new Set(), used: new Set() };
    (window as unknown as WatchedWindow).controls = controls;
    const shown = (): string => document.querySelector('nav [aria-current=page]')?.textContent ?? '';
    function placeOf(element: Element): string {
      if (element.closest('dialog')) return 'sheet';
      return element.closest('main') ? shown() : 'bar';
    }
    function nameOf(button: Element): string {
      const label = button.getAttribute('aria-label');
      if (label !== null) return label;
      const words = button.cloneNode(true) as Element;
      for (const hidden of words.querySelectorAll('[aria-hidden=true]')) hidden.remove();
      return words.textContent ?? '';
    }
    function describe(button: Element): string {
      return `${placeOf(button)}: ${nameOf(button).trim().replace(/\d+/g, '0')}`;
    }
    function look(): void {
      for (const button of document.querySelectorAll('button')) {
        if (button.disabled || button.getClientRects().length === 0) continue;
        controls.offered.add(describe(button));
        for (const key of button.getAttribute('aria-keyshortcuts')?.split(' ') ?? [])
          controls.offered.add(`${placeOf(button)}: key ${key}`);
      }
    }
    function noteKey({ key, ctrlKey, altKey, shiftKey, isTrusted }: KeyboardEvent): void {
      if (!isTrusted) return;
      look();
      const name = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key;
      const held = [ctrlKey && 'Control', altKey && 'Alt', shiftKey && name.length > 1 && 'Shift'];
      const combined = [...held.filter(Boolean), name].join('+');
      const isInSheet = document.querySelector('dialog[open]') !== null;
      for (const place of isInSheet ? ['sheet'] : [shown(), 'bar'])
        controls.used.add(`${place}: key ${combined}`);
    }
    window.addEventListener('keydown', noteKey, true);
    window.addEventListener(
      'click',
      (event) => {
        look();
        const button = event.target instanceof Element ? event.target.closest('button') : null;
        if (button && event.isTrusted) controls.used.add(describe(button));
      },
      true,
    );
    setInterval(look, 250);
  });
}

/** Fails with the names of all buttons and keys that were offered and not used, but for those that are tested `elsewhere`. */
export async function expectAllUsed(page: Page, elsewhere: readonly (string | RegExp)[]): Promise<void> {
  const { offered, used } = await page.evaluate(() => {
    const { controls } = window as unknown as WatchedWindow;
    return { offered: [...controls.offered], used: [...controls.used] };
  });
  const isElsewhere = (control: string): boolean =>
    elsewhere.some((one) => (typeof one === 'string' ? one === control : one.test(control)));
  const unused = offered.filter((control) => !used.includes(control) && !isElsewhere(control));
  expect(unused.sort(), 'offered and never used').toEqual([]);
}
