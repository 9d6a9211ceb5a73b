import type { Page } from '@playwright/test';

/** Words on show that lie over each other, and those too small to read. */
export function unreadable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** 12 px, less what a browser may round off. */
    const smallestPx = 11.95;
    const tolerancePx = 1;
    /** Of a line's box: what stands above the capitals and below the base line. */
    const emptyShare = 0.22;

    interface Line {
      parent: Element;
      text: string;
      left: number;
      right: number;
      top: number;
      bottom: number;
    }

    const found = new Set<string>();
    const root = [...document.querySelectorAll('dialog[open]')].pop() ?? document.body;

    function isDrawn(element: Element): boolean {
      if (element.closest('.visually-hidden, .uplot, [data-testid=display-picture], option')) return false;
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    }

    function drawnPx(element: Element): number {
      const scale = element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.d ?? 1) : 1;
      return Number.parseFloat(getComputedStyle(element).fontSize) * scale;
    }

    /** What is left of a box where its holders cut it off. */
    function seenPart(element: Element, box: DOMRect): Omit<Line, 'parent' | 'text'> | null {
      const inset = box.height * emptyShare;
      let { left, right } = box;
      let [top, bottom] = [box.top + inset, box.bottom - inset];
      for (let holder: Element | null = element; holder; holder = holder.parentElement) {
        if (getComputedStyle(holder).overflow === 'visible') continue;
        const edge = holder.getBoundingClientRect();
        left = Math.max(left, edge.left);
        right = Math.min(right, edge.right);
        top = Math.max(top, edge.top);
        bottom = Math.min(bottom, edge.bottom);
      }
      return right - left > tolerancePx && bottom - top > tolerancePx ? { left, right, top, bottom } : null;
    }

    function isOpaque(element: Element): boolean {
      const parts = getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? [];
      return Number(parts[3] ?? 1) > 0.9;
    }

    /** Something that is drawn between the two, as a head that stays while rows scroll below it, hides the lower one. */
    function areBothSeen(one: Line, other: Line): boolean {
      const x = (Math.max(one.left, other.left) + Math.min(one.right, other.right)) / 2;
      const y = (Math.max(one.top, other.top) + Math.min(one.bottom, other.bottom)) / 2;
      const stack = document.elementsFromPoint(x, y);
      const depths = [one, other].map(({ parent }) => stack.findIndex((element) => element.contains(parent)));
      const lower = (depths[0] ?? 0) > (depths[1] ?? 0) ? one : other;
      return !stack
        .slice(0, Math.max(...depths))
        .some((element) => !element.contains(lower.parent) && isOpaque(element));
    }

    const lines: Line[] = [];
    const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim().slice(0, 40) ?? '';
      if (!parent || text === '' || !isDrawn(parent)) continue;
      range.selectNodeContents(node);
      const parts = [...range.getClientRects()].flatMap((box) => seenPart(parent, box) ?? []);
      if (parts.length === 0) continue;
      const px = drawnPx(parent);
      if (px < smallestPx) found.add(`“${text}” is ${px.toFixed(1)} px high`);
      lines.push(...parts.map((part) => ({ parent, text, ...part })));
    }
    lines.sort((one, other) => one.top - other.top);
    lines.forEach((one, index) => {
      for (let next = index + 1; next < lines.length; next++) {
        const other = lines[next];
        if (!other || other.top > one.bottom - tolerancePx) return;
        const commonPx = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        if (commonPx <= tolerancePx || one.parent === other.parent) continue;
        if (areBothSeen(one, other)) found.add(`“${one.text}” and “${other.text}” lie over each other`);
      }
    });
    return [...found];
  });
}
