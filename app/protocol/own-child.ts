/** A process of ours under plain Node, and the one that starts it: Ctrl-C in a terminal does not reach it, and it ends with that one. */

const isWindows = process.platform === 'win32';

/**
 * For `spawn`. Elsewhere than on Windows the child leads a process group of its own. Windows ends it with us, even where it hangs: Node puts
 * what is not detached into a job that the system closes.
 */
export const ownChild = isWindows ? { windowsHide: true } : { detached: true };

/** In the child. */
export function onParentGone(listener: () => void): void {
  process.on('disconnect', listener);
  // There it shares the terminal.
  if (isWindows) process.on('SIGINT', () => undefined);
}
