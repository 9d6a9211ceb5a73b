import { type Settings, windowScalesPercent } from '../../app/protocol/settings';

type ScalePercent = Settings['windowScalePercent'];

export const usualPercent: ScalePercent = 100;

/** The scale that a key asks for, held with Ctrl; null: it asks for none. */
export function scaleAfter(key: string, nowPercent: ScalePercent): ScalePercent | null {
  const at = windowScalesPercent.indexOf(nowPercent);
  // A keyboard has + above =, or as a key of its own.
  if (key === '+' || key === '=') return windowScalesPercent[at + 1] ?? nowPercent;
  if (key === '-' || key === '−' || key === '_') return windowScalesPercent[at - 1] ?? nowPercent;
  return key === '0' ? usualPercent : null;
}
