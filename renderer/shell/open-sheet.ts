import { create } from 'zustand';

type Sheet =
  | 'shortcuts'
  | 'export'
  | 'note'
  | 'presets'
  | 'battery'
  | 'movies'
  | 'stop'
  | 'timeline'
  | 'renameStream';

/** The sheet that is open, if any. */
export const useSheet = create<{ open: Sheet | null }>(() => ({ open: null }));

export function openSheet(open: Sheet): void {
  useSheet.setState({ open });
}

export function closeSheet(): void {
  useSheet.setState({ open: null });
}
