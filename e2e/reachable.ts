import type { Page } from '@playwright/test';

/**
 * Controls of the page that scrolling does not bring to where a pointer finds them, and whether the page itself scrolls sideways: what
 * keeps a small or enlarged page from being used.
 */
export function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found =
      scrollWidth > clientWidth ? [`the page scrolls sideways: ${scrollWidth} of ${clientWidth} px`] : [];
    for (const control of document.querySelectorAll<HTMLElement>(
      'button, input, select, textarea, a[href]',
    )) {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // A radio or checkbox may be hidden from the eye: its label is what is pressed.
      const target = control.closest('label') ?? control;
      target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      const { x, y, width, height } = target.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      if (target.contains(hit)) continue;
      const name =
        control.innerText?.trim() || control.ariaLabel || control.getAttribute('name') || control.tagName;
      found.push(`${name.slice(0, 30)} at ${Math.round(x)}, ${Math.round(y)}`);
    }
    window.scrollTo(0, 0);
    return found;
  });
}
