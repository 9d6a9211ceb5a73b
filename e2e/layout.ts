import { test as base, type Page } from '@playwright/test';
import { untilFadedIn } from './accessibility';
import { expect } from './app';
import { coveredFigures } from './covered-figures';
import { cutWords } from './cut-words';
import { unreadable } from './readable';

/** Between these two the console has to fit. */
const smallest = { width: 1280, height: 720 };
const largest = { width: 3840, height: 2160 };
const usualSize = { width: 1600, height: 1000 };

/**
 * In the smallest and the largest size: nothing stands outside of what holds it unless it can be scrolled to, no figure or
 * word is cut short, none lies over another one, and none is smaller than 12 px. Keeps a picture of what does not fit
 * beside the test's other artefacts.
 */
export async function expectFits(page: Page, name: string): Promise<void> {
  for (const size of [smallest, largest]) {
    await resize(page, size);
    const found = await findMisfits(page);
    if (found.length > 0)
      await page.screenshot({ path: base.info().outputPath(`${name}-${size.width}.png`) });
    expect(found, `${name} at ${size.width}×${size.height}`).toEqual([]);
  }
  await resize(page, usualSize);
}

export async function resize(page: Page, size: typeof usualSize): Promise<void> {
  await page.setViewportSize(size);
  // What is drawn to measure, as charts are, follows a frame later.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** What is wrong with the layout that is shown now, a line for each. */
export async function findMisfits(page: Page): Promise<string[]> {
  await page.evaluate(untilFadedIn);
  const found = [
    await misfits(page),
    await cutWords(page),
    await coveredFigures(page),
    await unreadable(page),
  ];
  return found.flat();
}

function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** Sub-pixels, and the outline that a letter may have. */
    const tolerancePx = 1.5;
    const figures = '[data-metric], [data-figure], [data-testid=disk-rate], progress, canvas';
    const held = `${figures}, button, input, select, textarea, h1, h2, h3, h4, p, dt, dd, td, th, label, legend, svg`;
    const found = new Set<string>();
    const nameOf = (element: Element): string => {
      const text = element.textContent?.trim().slice(0, 40) || element.getAttribute('aria-label') || '';
      return `${element.tagName.toLowerCase()} “${text}”`;
    };
    const isForEyes = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return (
        width > 1 && height > 1 && !element.closest('.visually-hidden, .uplot, [data-testid=display-picture]')
      );
    };

    /** What it runs out of sideways, or is cut off by, in a direction in which nothing scrolls. */
    function outside(element: Element): string | null {
      const box = element.getBoundingClientRect();
      let isFreeX = false;
      let isFreeY = false;
      let isInFlow = true;
      for (
        let holder = element.parentElement, inner = element;
        holder;
        inner = holder, holder = holder.parentElement
      ) {
        const { overflowX, overflowY, position, display } = getComputedStyle(holder);
        const edge = holder.getBoundingClientRect();
        isInFlow &&= !/absolute|fixed/.test(getComputedStyle(inner).position);
        isFreeX ||= /auto|scroll/.test(overflowX);
        isFreeY ||= /auto|scroll/.test(overflowY);
        const isX = box.right > edge.right + tolerancePx || box.left < edge.left - tolerancePx;
        const isY = box.bottom > edge.bottom + tolerancePx || box.top < edge.top - tolerancePx;
        const holdsX = /hidden|clip/.test(overflowX) || (isInFlow && !/inline|contents|table/.test(display));
        if (!isFreeX && holdsX && isX) return nameOf(holder);
        if (!isFreeY && /hidden|clip/.test(overflowY) && isY) return nameOf(holder);
        if (position === 'fixed' || holder.tagName === 'DIALOG') break;
      }
      const { innerWidth, innerHeight } = window;
      const isBesideWindow = !isFreeX && (box.right > innerWidth + tolerancePx || box.left < -tolerancePx);
      const isBelowWindow = !isFreeY && (box.bottom > innerHeight + tolerancePx || box.top < -tolerancePx);
      return isBesideWindow || isBelowWindow ? 'the window' : null;
    }

    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) found.add('the page itself scrolls');
    const root = [...document.querySelectorAll('dialog[open]')].pop() ?? document.body;
    for (const element of root.querySelectorAll<HTMLElement>(held)) {
      if (!isForEyes(element)) continue;
      const holder = outside(element);
      if (holder !== null) found.add(`${nameOf(element)} stands outside of ${holder}`);
    }
    return [...found];
  });
}
