import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PreviewMessage, PreviewRequest } from '../../app/protocol/console';
import { Previews } from './previews';

let reportVisibility: (changes: { target: object; isIntersecting: boolean }[]) => void;
let reportSizes: (changes: { target: object; contentRect: { width: number; height: number } }[]) => void;
let nextPicture: (() => void)[];
let drawn: number[];
let asked: PreviewRequest[];
const port = {
  close: () => undefined,
  postMessage: (message: PreviewRequest) => asked.push(message),
  onmessage: null,
} as unknown as MessagePort;

/** The streams of other machines that are to be shown. */
let shownElsewhere: unknown[];
const elsewhere = {
  show: (streams: unknown) => void shownElsewhere.push(streams),
  forget: (streamId: number) => void shownElsewhere.push(`forget ${streamId}`),
};

class FakeObserver {
  observe(): void {}
  unobserve(): void {}
}

class FakeIntersectionObserver extends FakeObserver {
  constructor(reported: typeof reportVisibility) {
    super();
    reportVisibility = reported;
  }
}

class FakeResizeObserver extends FakeObserver {
  constructor(reported: typeof reportSizes) {
    super();
    reportSizes = reported;
  }
}

beforeEach(() => {
  nextPicture = [];
  drawn = [];
  asked = [];
  shownElsewhere = [];
  vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver);
  vi.stubGlobal('ResizeObserver', FakeResizeObserver);
  vi.stubGlobal('devicePixelRatio', 1);
  vi.stubGlobal('ImageData', class {});
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => nextPicture.push(draw));
});
afterEach(() => vi.unstubAllGlobals());

function canvasOf(previews: Previews, streamId: number, mostWidth?: number): HTMLCanvasElement {
  const context = { putImageData: () => undefined };
  const canvas = { width: 256, height: 144, dataset: {}, getContext: () => context };
  const element = canvas as unknown as HTMLCanvasElement;
  previews.attach(streamId, element, { mostWidth, onDrawn: ({ frameNumber }) => drawn.push(frameNumber) });
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
  const previews = new Previews(elsewhere);
  previews.takePort(port);
  receive(2, 5);
  receive(2, 10, true);
  expect(asked).toEqual([expect.objectContaining({ type: 'subscribe' }), { type: 'confirmed', streamId: 2 }]);
});

test('of the previews between two pictures of the window only the newest is drawn', () => {
  const previews = new Previews(elsewhere);
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
  const previews = new Previews(elsewhere);
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

/** The streams that were subscribed to, one subscription after the other. */
function subscriptions(): unknown[] {
  return asked.flatMap((request) => (request.type === 'subscribe' ? [request.streams] : []));
}

function show(canvas: HTMLCanvasElement, width: number, isIntersecting = true): void {
  reportVisibility([{ target: canvas, isIntersecting }]);
  reportSizes([{ target: canvas, contentRect: { width, height: (width * 9) / 16 } }]);
  showPicture();
}

test('previews are asked for where they can be seen, as wide as they are shown, and once', () => {
  const previews = new Previews(elsewhere);
  previews.takePort(port);
  show(canvasOf(previews, 1), 172);
  show(canvasOf(previews, 2), 172, false);
  const third = canvasOf(previews, 3);
  show(third, 900);
  show(third, 950);
  expect(subscriptions()).toEqual([
    [],
    [{ streamId: 1, maxWidth: 176 }],
    [
      { streamId: 1, maxWidth: 176 },
      { streamId: 3, maxWidth: 256 },
    ],
  ]);
});

test('where the display has more pixels than the page, previews have them too', () => {
  vi.stubGlobal('devicePixelRatio', 1.25);
  const previews = new Previews(elsewhere);
  previews.takePort(port);
  show(canvasOf(previews, 1), 100);
  expect(subscriptions().pop()).toEqual([{ streamId: 1, maxWidth: 128 }]);
  vi.stubGlobal('devicePixelRatio', 2);
  receive(1, 5);
  showPicture();
  expect(subscriptions().pop()).toEqual([{ streamId: 1, maxWidth: 208 }]);
});

test('a picture that is higher than wide is asked for as wide as it fits', () => {
  const previews = new Previews(elsewhere);
  previews.takePort(port);
  const canvas = canvasOf(previews, 1);
  Object.assign(canvas, { width: 176, height: 313 });
  show(canvas, 172);
  expect(subscriptions().pop()).toEqual([{ streamId: 1, maxWidth: 64 }]);
});

test('of a stream that is shown twice the larger one is asked for, and more often, until it closes', () => {
  const previews = new Previews(elsewhere);
  previews.takePort(port);
  show(canvasOf(previews, 1), 172);
  const view = { width: 256, height: 144, dataset: {} } as HTMLCanvasElement;
  const detach = previews.attach(1, view, { mostWidth: 1280, rateHz: 12 });
  expect(asked.at(-1)).toMatchObject({ rateHz: 8 });
  show(view, 1900);
  expect(subscriptions().pop()).toEqual([{ streamId: 1, maxWidth: 1280 }]);
  expect(asked.at(-1)).toMatchObject({ rateHz: 12 });
  detach();
  showPicture();
  expect(asked.at(-1)).toMatchObject({ rateHz: 8 });
  expect(subscriptions().pop()).toEqual([{ streamId: 1, maxWidth: 176 }]);
});

test('another receiving host is asked for what is shown', () => {
  const previews = new Previews(elsewhere);
  previews.takePort(port);
  show(canvasOf(previews, 1), 172);
  previews.takePort(port);
  expect(subscriptions().slice(1)).toEqual([
    [{ streamId: 1, maxWidth: 176 }],
    [{ streamId: 1, maxWidth: 176 }],
  ]);
});

test('a stream that another machine receives is asked for there, and not of the receiving host here', () => {
  const previews = new Previews(elsewhere);
  previews.takePort(port);
  const canvas = { width: 256, height: 144, dataset: {}, getContext: () => null };
  const element = canvas as unknown as HTMLCanvasElement;
  const detach = previews.attach(1, element, { isElsewhere: true });
  show(element, 120);
  show(canvasOf(previews, 2), 120);
  expect(subscriptions().pop()).toEqual([{ streamId: 2, maxWidth: 128 }]);
  expect(shownElsewhere.at(-1)).toEqual([{ streamId: 1, maxWidth: 128 }]);
  show(element, 120, false);
  expect(shownElsewhere.at(-1)).toEqual([]);
  detach();
  expect(shownElsewhere.at(-1)).toBe('forget 1');
});

test('a stream that has stopped shows its last picture again where it is shown anew; a new receiving process has none', () => {
  const previews = new Previews(elsewhere);
  previews.takePort(port);
  receive(7, 41);
  receive(7, 42);
  show(canvasOf(previews, 7), 172);
  expect(drawn).toEqual([42]);
  previews.takePort(port);
  show(canvasOf(previews, 7), 172);
  expect(drawn).toEqual([42]);
});
