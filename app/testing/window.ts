import { onTestFinished, vi } from 'vitest';
import type { ShellBridge } from '../protocol/bridge';

/**
 * What modules of the window need to be loaded in Node; until the end of the test.
 * @param whiteline of the shell, what is needed; undefined: a browser
 */
export function stubWindow(whiteline?: Partial<ShellBridge>): void {
  // Not only before the next test: a test file that follows in this process may load uPlot, which needs a complete window or none.
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('IntersectionObserver', class {});
  vi.stubGlobal('ResizeObserver', class {});
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('location', { host: 'localhost', hash: '' });
  vi.stubGlobal('window', { addEventListener: () => undefined, whiteline });
  vi.resetModules();
}
