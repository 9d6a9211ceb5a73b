import type { BrowserWindow } from 'electron';
import type { Order } from './console-window';
import { traced } from './measure-frames';
import type { Replay } from './replay-process';
import type { FrameCosts } from './trace-frames';

const wheelsPerSecond = 60;
/** Within the crosspoints of a window of 1600 × 1000. */
const overMatrix = { x: 1100, y: 600 };
const wheelPx = 120;
/** All resources come within it, and are drawn. */
const fillSeconds = 5;

export interface NmosResults {
  /** From the opening of the screen until 10,000 resources are shown. */
  fill: FrameCosts;
  /** While the wheel turns over a full matrix, both ways. */
  scroll: FrameCosts;
}

/** What the screen NMOS costs with 2,500 × 2,500 crosspoints. */
export async function measureNmos(
  window: BrowserWindow,
  replay: Replay,
  { seconds }: Order,
): Promise<NmosResults> {
  replay.connect(0, 0);
  const fill = await traced(window, fillSeconds, async () => {
    await window.webContents.executeJavaScript(openScreen);
    await new Promise((resolve) => setTimeout(resolve, fillSeconds * 1000));
  });
  const scroll = await traced(window, seconds, () => turnWheel(window, seconds));
  const scrolled = await window.webContents.executeJavaScript(scrolledPx);
  if (scrolled < wheelPx * seconds) throw new Error('the crosspoints were not scrolled');
  return { fill, scroll };
}

const openScreen = `new Promise((resolve) => {
  document.querySelector('nav [aria-keyshortcuts="6"]').click();
  const look = () => {
    if (document.querySelector('[data-testid=nmos-matrix]')) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

const scrolledPx = `document.querySelector('[data-testid=nmos-matrix]').scrollTop`;

/** Down and to the right for a second, as an operator looks for something, then half as far back. */
function turnWheel({ webContents }: BrowserWindow, seconds: number): Promise<void> {
  webContents.sendInputEvent({ type: 'mouseMove', ...overMatrix });
  let wheels = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      wheels += 1;
      const second = Math.floor(wheels / wheelsPerSecond);
      const direction = second % 3 === 2 ? 1 : -1;
      const turned = { deltaX: direction * wheelPx, deltaY: direction * wheelPx, canScroll: true };
      webContents.sendInputEvent({ type: 'mouseWheel', ...overMatrix, ...turned });
      if (second < seconds) return;
      clearInterval(timer);
      resolve();
    }, 1000 / wheelsPerSecond);
  });
}
