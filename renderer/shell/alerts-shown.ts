import { create } from 'zustand';

/** Below this the alerts stand in a strip that opens; in alerts.module.css too. */
const isNarrow = matchMedia('(max-width: 1439px)');

/** Whether the column of alerts is open in a window that has no room for it beside the screen. */
export const useAlertsShown = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function toggleAlerts(): void {
  useAlertsShown.setState(({ isOpen }) => ({ isOpen: isNarrow.matches && !isOpen }));
}

/** @returns whether they were open */
export function closeAlerts(): boolean {
  const { isOpen } = useAlertsShown.getState();
  if (isOpen) useAlertsShown.setState({ isOpen: false });
  return isOpen && isNarrow.matches;
}
