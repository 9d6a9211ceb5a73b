import type { WebUtils } from 'electron';

/** The path of a file that was dropped: of `webUtils`, or on the file itself where Electron has none. Empty if it has no path. */
export function pathOf(file: File & { path?: string }, webUtils: WebUtils | undefined): string {
  return webUtils ? webUtils.getPathForFile(file) : (file.path ?? '');
}
