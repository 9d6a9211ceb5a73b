/** A chart as it was drawn into its place. */
export interface OpenChart {
  resize(): void;
  close(): void;
}

/**
 * Keeps a chart in its place: a place of another size has it drawn anew. Colours and the size of letters are read from the
 * page when a chart opens, so another theme, and letters of another size, are another chart.
 * @returns closes it
 */
export function keepChart(place: Element, open: () => OpenChart): () => void {
  let letters = lettersNow();
  let chart = open();

  function reopen(): void {
    chart.close();
    chart = open();
  }

  function fit(): void {
    const now = lettersNow();
    if (now === letters) {
      chart.resize();
      return;
    }
    letters = now;
    reopen();
  }

  const theme = matchMedia('(prefers-color-scheme: light)');
  const sizes = new ResizeObserver(fit);
  sizes.observe(place);
  theme.addEventListener('change', reopen);
  // Letters grow with the window, where the place may stay as it is.
  window.addEventListener('resize', fit);
  return () => {
    sizes.disconnect();
    theme.removeEventListener('change', reopen);
    window.removeEventListener('resize', fit);
    chart.close();
  };
}

/** What letters on a canvas are made from. */
function lettersNow(): string {
  return `${getComputedStyle(document.documentElement).fontSize} ${devicePixelRatio}`;
}
