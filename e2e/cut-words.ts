import type { Page } from '@playwright/test';

/**
 * Words on show that run out of what holds them or are cut off by it, sideways or in height. They may end in an ellipsis where a
 * tooltip has all of them and no room is free beside them; a figure never.
 */
export function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const tolerancePx = 1.5;
    /** Of a line's box in height: what stands below the letters, and above the capitals. */
    const emptyShare = 0.15;
    /** Less is a gap, not room. */
    const leastRoomPx = 32;
    const figures = '[data-metric], [data-figure], [data-testid=disk-rate]';
    const drawnThings = 'button, input, select, textarea, svg, canvas, progress, img, [data-metric]';
    const found = new Set<string>();
    const root = [...document.querySelectorAll('dialog[open]')].pop() ?? document.body;

    function isDrawn(element: Element): boolean {
      if (element.closest('.visually-hidden, .uplot, [data-testid=display-picture], option, select'))
        return false;
      const { width, height } = element.getBoundingClientRect();
      return (
        width > 1 &&
        height > 1 &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      );
    }

    /** What words stand in, and run out of where they find no room. */
    function blockAround(element: Element): Element {
      let holder = element;
      while (/^inline$|contents/.test(getComputedStyle(holder).display) && holder.parentElement)
        holder = holder.parentElement;
      return holder;
    }

    interface Cut {
      holder: Element;
      isInHeight: boolean;
    }

    /** The first that cuts a line of words off, in a direction in which nothing scrolls. */
    function cutOf(element: Element, line: DOMRect): Cut | null {
      const block = blockAround(element);
      const inset = line.height * emptyShare;
      let isFreeX = false;
      let isFreeY = false;
      for (let holder: Element | null = block; holder; holder = holder.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(holder);
        const edge = holder.getBoundingClientRect();
        isFreeX ||= /auto|scroll/.test(overflowX);
        isFreeY ||= /auto|scroll/.test(overflowY);
        const isX = line.right > edge.right + tolerancePx || line.left < edge.left - tolerancePx;
        const isY =
          line.bottom - inset > edge.bottom + tolerancePx || line.top + inset < edge.top - tolerancePx;
        const cutsX = holder === block || /hidden|clip/.test(overflowX);
        if (!isFreeX && isX && cutsX) return { holder, isInHeight: false };
        if (!isFreeY && isY && /hidden|clip/.test(overflowY)) return { holder, isInHeight: true };
        if (position === 'fixed' || holder.tagName === 'DIALOG') return null;
      }
      return null;
    }

    const range = document.createRange();
    const words: { parent: Element; text: string; boxes: DOMRect[] }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim().slice(0, 40) ?? '';
      if (!parent || text === '' || !isDrawn(parent)) continue;
      range.selectNodeContents(node);
      words.push({ parent, text, boxes: [...range.getClientRects()] });
    }
    const things = [...root.querySelectorAll(drawnThings)]
      .filter(isDrawn)
      .map((parent) => ({ parent, boxes: [parent.getBoundingClientRect()] }));
    const drawn = [...words, ...things];

    /** Where what frames an element ends: a cell, or what has an edge or a ground of its own. */
    function frameEdge(element: Element): number {
      for (let holder = element.parentElement; holder; holder = holder.parentElement) {
        const style = getComputedStyle(holder);
        const isFrame =
          holder.matches('td, th, button, dialog') ||
          style.overflowX !== 'visible' ||
          Number.parseFloat(style.borderRightWidth) > 0 ||
          !/, 0\)$/.test(style.backgroundColor);
        if (isFrame) return holder.getBoundingClientRect().right - Number.parseFloat(style.paddingRight);
      }
      return window.innerWidth;
    }

    function roomBesidePx(element: Element, line: DOMRect): number {
      const { right } = element.getBoundingClientRect();
      const lefts = drawn
        .filter(({ parent }) => !element.contains(parent))
        .flatMap(({ boxes }) => boxes)
        .filter((box) => box.top < line.bottom && box.bottom > line.top && box.left >= right - tolerancePx)
        .map(({ left }) => left);
      return Math.min(frameEdge(element), ...lefts) - right;
    }

    for (const { parent, text, boxes } of words) {
      for (const line of boxes) {
        const cut = cutOf(parent, line);
        if (!cut) continue;
        const { textOverflow, webkitLineClamp } = getComputedStyle(cut.holder);
        const endsInDots = cut.isInHeight ? webkitLineClamp !== 'none' : textOverflow === 'ellipsis';
        const hasAll = endsInDots && parent.closest('[title]') !== null;
        if (!hasAll || parent.closest(figures)) {
          const way = cut.isInHeight ? 'is cut off in height' : 'has no room for its words';
          found.add(`${parent.tagName.toLowerCase()} “${text}” ${way}`);
          continue;
        }
        const roomPx = cut.isInHeight ? 0 : roomBesidePx(cut.holder, line);
        if (roomPx >= leastRoomPx)
          found.add(`“${text}” is cut short although ${roomPx.toFixed(0)} px are free beside it`);
      }
    }
    // A hint in an empty field cannot be scrolled to.
    const pen = document.createElement('canvas').getContext('2d');
    for (const field of root.querySelectorAll<HTMLInputElement>('input:placeholder-shown')) {
      if (!pen || !isDrawn(field)) continue;
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      pen.font = font;
      const roomPx = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      if (pen.measureText(field.placeholder).width > roomPx + tolerancePx)
        found.add(`the hint “${field.placeholder}” has no room in its field`);
    }
    return [...found];
  });
}
