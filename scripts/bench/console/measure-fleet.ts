import type { BrowserWindow } from 'electron';
import type { Order } from './console-window';
import { traced } from './measure-frames';
import type { Replay } from './replay-process';
import type { FrameCosts } from './trace-frames';

/** Code is compiled by then. */
const settlingSeconds = 20;

/** What the screen Fleet costs with 1,000 machines of which each look finds all figures moved, while one of them is chosen. */
export async function measureFleet(
  window: BrowserWindow,
  replay: Replay,
  { seconds, bareFile }: Order,
): Promise<FrameCosts> {
  replay.connect(0, 0);
  if (!bareFile) await window.webContents.executeJavaScript(openScreen);
  const wait = (length: number): Promise<void> => new Promise((done) => setTimeout(done, length * 1000));
  await wait(settlingSeconds);
  const before = await window.webContents.executeJavaScript(shownText);
  const costs = await traced(window, seconds, () => wait(seconds));
  const after = await window.webContents.executeJavaScript(shownText);
  if (before === after) throw new Error('the figures of the machines did not move');
  return costs;
}

const openScreen = `new Promise((resolve) => {
  document.querySelector('nav [aria-keyshortcuts="5"]').click();
  const look = () => {
    const line = document.querySelector('[data-testid=fleet-machine]');
    if (!line) return requestAnimationFrame(look);
    line.click();
    resolve();
  };
  look();
})`;

const shownText = `document.body.innerText`;
