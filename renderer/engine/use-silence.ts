import { useCallback, useSyncExternalStore } from 'react';
import type { LoadHistory } from './load-history';

/** Whether nothing comes from the engine any more: what is shown of it then is of the past. */
export function useSilence(history: LoadHistory): boolean {
  const subscribe = useCallback((listener: () => void) => history.subscribe(listener), [history]);
  const isSilentNow = (): boolean => history.isSilent;
  // Given twice: the report is rendered without a window too.
  return useSyncExternalStore(subscribe, isSilentNow, isSilentNow);
}
