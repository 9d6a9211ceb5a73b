import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PreviewMessage, PreviewRequest } from '../../app/protocol/console';
import { Previews } from './previews';

let reportVisibility: (changes: { target: object; isIntersecting: boolean }[]) => void;
let nextPicture: (() => void)[];
let drawn: number[];
let asked: PreviewRequest[];
const port = {
  close: () => undefined,
  postMessage: (message: PreviewRequest) => asked.push(message),
  onmessage: null,
} as unknown as MessagePort;

class FakeObserver {
  constructor(reported: typeof reportVisibility) {
    reportVisibility = reported;
  }
  observe(): void {}
  unobserve(): void {}
}

beforeEach(() => {
  nextPicture = [];
  drawn = [];
  asked = [];
  vi.stubGlobal('IntersectionObserver', FakeObserver);
  vi.stubGlobal('ImageData', class {});
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => nextPicture.push(draw));
});
afterEach(() => vi.unstubAllGlobals());

function canvasOf(previews: Previews, streamId: number): HTMLCanvasElement {
  const canvas = { dataset: {}, getContext: () => ({ putImageData: () => undefined }) };
  const element = canvas as unknown as HTMLCanvasElement;
  previews.attach(streamId, element, ({ frameNumber }) => drawn.push(frameNumber));
  return element;
}

function receive(streamId: number, frameNumber: number, confirm = false): void {
  const pixels = new Uint8ClampedArray(4);
  const data: PreviewMessage = {
    type: 'preview',
    streamId,
    width: 1,
    height: 1,
    frameNumber,
    confirm,
    pixels,
  };
  port.onmessage?.({ data } as MessageEvent);
}

function showPicture(): void {
  for (const draw of nextPicture.splice(0)) draw();
}

test('a preview is confirmed where that is asked for, so that the next one is sent', () => {
  const previews = new Previews();
  previews.takePort(port);
  receive(2, 5);
  receive(2, 10, true);
  expect(asked).toEqual([expect.objectContaining({ type: 'subscribe' }), { type: 'confirmed', streamId: 2 }]);
});

test('of the previews between two pictures of the window only the newest is drawn', () => {
  const previews = new Previews();
  previews.takePort(port);
  const canvas = canvasOf(previews, 1);
  reportVisibility([{ target: canvas, isIntersecting: true }]);
  showPicture();
  for (const frame of [5, 6, 7]) receive(1, frame);
  expect(nextPicture).toHaveLength(1);
  showPicture();
  showPicture();
  expect(drawn).toEqual([7]);
});

test('what no one can see is not drawn, and is up to date once it can be seen', () => {
  const previews = new Previews();
  previews.takePort(port);
  const canvas = canvasOf(previews, 2);
  for (const frame of [5, 6]) receive(2, frame);
  expect(nextPicture).toHaveLength(0);
  reportVisibility([{ target: canvas, isIntersecting: true }]);
  showPicture();
  expect(drawn).toEqual([6]);
  receive(1, 9);
  showPicture();
  expect(drawn).toEqual([6]);
});
