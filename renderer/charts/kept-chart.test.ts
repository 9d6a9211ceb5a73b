import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepChart } from './kept-chart';

let fontSize = '16px';
const listeners = { window: new Set<() => void>(), theme: new Set<() => void>() };
let sizeListener = (): void => undefined;
const disconnect = vi.fn();

beforeEach(() => {
  for (const set of Object.values(listeners)) set.clear();
  fontSize = '16px';
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('getComputedStyle', () => ({ fontSize }));
  vi.stubGlobal('devicePixelRatio', 1);
  vi.stubGlobal('window', eventsOf(listeners.window));
  vi.stubGlobal('matchMedia', () => eventsOf(listeners.theme));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(listener: () => void) {
        sizeListener = listener;
      }
      observe(): void {}
      disconnect = disconnect;
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function eventsOf(set: Set<() => void>) {
  return {
    addEventListener: (_: string, listener: () => void) => set.add(listener),
    removeEventListener: (_: string, listener: () => void) => set.delete(listener),
  };
}

function kept() {
  const resize = vi.fn();
  const closed = vi.fn();
  const open = vi.fn(() => ({ resize, close: closed }));
  const close = keepChart({} as Element, open);
  return { resize, closed, open, close };
}

test('letters of another size are another chart, at once', () => {
  const { open, closed, resize } = kept();
  fontSize = '20px';
  for (const listener of listeners.window) listener();
  expect(open).toHaveBeenCalledTimes(2);
  expect(closed).toHaveBeenCalledOnce();
  vi.stubGlobal('devicePixelRatio', 2);
  sizeListener();
  expect(open).toHaveBeenCalledTimes(3);
  expect(resize).not.toHaveBeenCalled();
});

test('a place of another size has the same chart drawn anew', () => {
  const { open, resize } = kept();
  sizeListener();
  expect(resize).toHaveBeenCalledOnce();
  expect(open).toHaveBeenCalledOnce();
});

test('another theme is another chart, and a closed one hears of nothing', () => {
  const { open, close, closed } = kept();
  for (const listener of listeners.theme) listener();
  expect(open).toHaveBeenCalledTimes(2);
  close();
  expect(closed).toHaveBeenCalledTimes(2);
  expect(disconnect).toHaveBeenCalledOnce();
  expect(listeners.window.size + listeners.theme.size).toBe(0);
});
