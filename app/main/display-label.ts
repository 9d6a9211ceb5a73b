import type { Display } from 'electron';

/** Empty if Electron or the system does not tell it. */
export function labelOf({ label }: Partial<Pick<Display, 'label'>>): string {
  return label ?? '';
}
